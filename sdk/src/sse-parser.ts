export type SseMessage = { readonly id: string; readonly event: string; readonly data: string };

export type SseParser = {
  readonly push: (text: string) => SseMessage[];
  readonly retryMs: () => number | null;
  /** The id of the last whole block, which may be a block without data; '' before the first. */
  readonly lastId: () => string;
};

/** Far above any event of the service; a peer that never ends a line must not fill the memory. */
const CHARS_MAX = 16 * 1024 * 1024;

/**
 * The event stream format of the HTML standard (9.2.6): lines end in CR, LF or CRLF, and pieces may be cut anywhere.
 */
export function createSseParser(charsMax = CHARS_MAX): SseParser {
  let rest = '';
  let endedInCr = false;
  let lastId = '';
  let wholeId = '';
  let event = '';
  let data: string[] = [];
  let heldChars = 0;
  let retryMs: number | null = null;

  const field = (name: string, value: string): void => {
    if (name === 'data') {
      data.push(value);
      heldChars += value.length;
    } else if (name === 'event') event = value;
    else if (name === 'id' && !value.includes('\0')) lastId = value;
    else if (name === 'retry' && /^\d+$/.test(value)) retryMs = Number(value);
  };

  const line = (text: string, out: SseMessage[]): void => {
    if (text === '') {
      wholeId = lastId;
      if (data.length > 0) out.push({ id: lastId, event: event || 'message', data: data.join('\n') });
      event = '';
      data = [];
      heldChars = 0;
      return;
    }
    const colon = text.indexOf(':');
    if (colon === 0) return;
    if (colon === -1) field(text, '');
    else field(text.slice(0, colon), text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1));
  };

  return {
    push: (piece) => {
      const out: SseMessage[] = [];
      const text = rest + (endedInCr && piece.startsWith('\n') ? piece.slice(1) : piece);
      if (piece !== '') endedInCr = piece.endsWith('\r');
      let from = 0;
      for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) {
        line(text.slice(from, index), out);
        from = index + end.length;
      }
      rest = text.slice(from);
      if (rest.length + heldChars > charsMax)
        throw new RangeError(`An event is longer than ${charsMax} characters.`);
      return out;
    },
    retryMs: () => retryMs,
    lastId: () => wholeId,
  };
}
