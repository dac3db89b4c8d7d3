export type ByteRange = { readonly start: number; readonly end: number };

const SINGLE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/;

/**
 * One range of RFC 9110 14.2. Undefined: the whole answer, because there is none, it is of another unit or several.
 * Null: it begins behind the end, which is 416.
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

/** If-Range: a strong tag that is equal, or the very date; otherwise the range is not for this version. */
export const isRangeCurrent = (header: string | undefined, etag: string, modified: string): boolean =>
  header === undefined || header === etag || header === modified;
