import { isRangeCurrent, rangeOf } from './byte-range.ts';
import { type Call, NO_BODY, type PreparedBody, preparedBody } from './route.ts';

export type Validators = { readonly etag: string; readonly modified: string };

/** A body of known length, whole or the one range that the caller asks for (206, 416). */
export function sendBytes(
  { request, reply }: Pick<Call, 'request' | 'reply'>,
  length: number,
  { etag, modified }: Validators,
  read: (range: { readonly start: number; readonly end: number }) => Parameters<typeof preparedBody>[0],
): PreparedBody {
  reply.header('accept-ranges', 'bytes');
  const asked = isRangeCurrent(request.headers['if-range'] as string | undefined, etag, modified)
    ? rangeOf(request.headers.range, length)
    : undefined;
  if (asked === null) {
    reply.code(416).header('content-range', `bytes */${length}`);
    return NO_BODY;
  }
  if (length === 0) return preparedBody('');
  const range = asked ?? { start: 0, end: length - 1 };
  if (asked !== undefined)
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${length}`);
  reply.header('content-length', String(range.end - range.start + 1));
  return preparedBody(read(range));
}
