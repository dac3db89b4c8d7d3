export type ByteRange = { readonly start: number; readonly end: number };

const SINGLE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/;

/**
 * The one range that a caller asks for (RFC 9110 14.2). Undefined: the whole answer is sent, because the header is
 * missing, has another unit or names several ranges. Null: the range begins behind the end, which is 416.
 */
export function rangeOf(header: string | undefined, length: number): ByteRange | null | undefined {
  const found = SINGLE.exec(header ?? '');
  if (found === null) return undefined;
  const [, from, to, last] = found;
  if (last !== undefined)
    return Number(last) === 0 || length === 0
      ? null
      : { start: Math.max(0, length - Number(last)), end: length - 1 };
  const start = Number(from);
  const end = to === '' || to === undefined ? length - 1 : Math.min(Number(to), length - 1);
  if (to !== '' && to !== undefined && Number(to) < start) return undefined;
  return start >= length ? null : { start, end };
}

/** If-Range holds the strong tag or the exact date of this version; with any other value the whole answer is sent. */
export const isRangeCurrent = (header: string | undefined, etag: string, modified: string): boolean =>
  header === undefined || header === etag || header === modified;
