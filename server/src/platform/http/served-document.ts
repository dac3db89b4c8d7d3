import { etagOf, isUnchanged } from './conditional.ts';
import { type Call, NO_BODY, type PreparedBody, preparedBody } from './route.ts';
import { acceptedEncodings } from './web-app/accept-encoding.ts';
import { type Compressed, compressBoth } from './web-app/compress.ts';

/** A document that is the same for every caller: its bytes, their tag, and both compressed forms. */
export type ServedDocument = {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly compressed: Promise<Compressed>;
};

/** Keeps a text ready to be sent. */
export function documentOf(text: string): ServedDocument {
  const bytes = Buffer.from(text);
  return { bytes, etag: etagOf(text), compressed: compressBoth(bytes) };
}

/** Sends the document in the best form that the caller reads, or nothing where the caller has it already. */
export async function sendDocument(
  call: Pick<Call, 'request' | 'reply'>,
  document: ServedDocument,
  { type, cache }: { readonly type: string; readonly cache: string },
): Promise<PreparedBody> {
  const { request, reply } = call;
  const [encoding] = acceptedEncodings(request.headers['accept-encoding']);
  const bytes = encoding === undefined ? undefined : (await document.compressed)[encoding];
  reply.header('vary', 'accept-encoding');
  const etag = bytes === undefined ? document.etag : document.etag.replace(/"$/, `-${encoding}"`);
  if (isUnchanged(call, etag, cache)) return NO_BODY;
  reply.type(type);
  if (bytes === undefined) return preparedBody(document.bytes);
  reply.header('content-encoding', encoding);
  return preparedBody(bytes);
}
