/** How far to look for a line end. Without one a slice ends at a blank or quote, which no indicator crosses. */
const NEAR_CHARS = 4_096;
const BLANK = /[\s"]/g;

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
