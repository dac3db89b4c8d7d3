import type { Digests } from './files/read-attachment.ts';
import { nameFile } from './files/read-attachment.ts';
import type { Header } from './headers/read-headers.ts';
import { MAIL_LIMITS } from './limits.ts';
import type { MessageFacts } from './message-facts.ts';
import { Collection } from './read-message.ts';

/** A message that the caller has parsed (contract 4.9); it holds no contents of attachments. */
export type StructuredMessage = {
  readonly headers?: readonly Header[] | undefined;
  readonly from?: string | undefined;
  readonly replyTo?: string | undefined;
  readonly returnPath?: string | undefined;
  readonly subject?: string | undefined;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  readonly attachments?:
    | readonly (Digests & {
        readonly filename?: string | undefined;
        readonly contentType?: string | undefined;
        readonly size?: number | undefined;
        readonly inline?: boolean | undefined;
      })[]
    | undefined;
};

const FROM_FIELDS: readonly (readonly [string, 'from' | 'replyTo' | 'returnPath' | 'subject'])[] = [
  ['from', 'from'],
  ['reply-to', 'replyTo'],
  ['return-path', 'returnPath'],
  ['subject', 'subject'],
];

/** Fields of the structured form (such as `from`) replace headers of the same name. */
function headersOf(message: StructuredMessage): readonly Header[] {
  const given = (message.headers ?? []).map(({ name, value }) => ({
    name: name.trim().toLowerCase(),
    value: value.trim(),
  }));
  const own = FROM_FIELDS.flatMap(([name, field]) => {
    const value = message[field];
    return value === undefined ? [] : [{ name, value }];
  });
  const replaced = new Set(own.map(({ name }) => name));
  return [...own, ...given.filter(({ name }) => !replaced.has(name))];
}

export function readStructured(message: StructuredMessage): MessageFacts {
  const collection = new Collection();
  const from = { origin: null, originName: null };
  collection.addBody(message.html ?? '', message.text ?? '', from);
  const attachments = message.attachments ?? [];
  if (attachments.length > MAIL_LIMITS.attachmentsMax) collection.cuts.add('attachments');
  for (const { filename, contentType, size, inline, sha256, sha1, md5 } of attachments.slice(
    0,
    MAIL_LIMITS.attachmentsMax,
  )) {
    const digests = {
      ...(sha256 !== undefined && { sha256: sha256.toLowerCase() }),
      ...(sha1 !== undefined && { sha1: sha1.toLowerCase() }),
      ...(md5 !== undefined && { md5: md5.toLowerCase() }),
    };
    collection.attachments.push({
      ...nameFile(filename ?? null, digests),
      filename: filename ?? null,
      contentType: contentType ?? null,
      size: size ?? 0,
      isInline: inline === true,
      isInlinePicture: false,
      isMessage: false,
      ...from,
    });
  }
  return collection.facts(headersOf(message), true);
}
