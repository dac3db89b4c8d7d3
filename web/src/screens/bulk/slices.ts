/** Where an indicator cannot go on: a line's end if there is one near, otherwise a blank or a quotation mark. */
const NEAR_CHARS = 4_096;
const BLANK = /[\s"]/g;

/** The text in pieces of about this size, cut where no indicator is cut. */
export function* slicesOf(text: string, chars: number): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const end = cutAfter(text, from + chars);
    yield text.slice(from, end);
    from = end;
  }
}

function cutAfter(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const line = text.indexOf('\n', at);
  if (line >= 0 && line - at < NEAR_CHARS) return line + 1;
  BLANK.lastIndex = at;
  const blank = BLANK.exec(text);
  return blank === null ? text.length : blank.index + 1;
}
