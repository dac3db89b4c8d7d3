import type { Secrets } from '#platform/secrets.ts';
import type { LetterKind } from './contract.ts';

/** What a person can ask not to get any more. Letters about the security of an account have no topic and always go out. */
export const TOPICS = ['newsletter', 'subscription-requests', 'invitations', 'quota', 'alerts'] as const;
export type Topic = (typeof TOPICS)[number];

const TOPIC_OF: Readonly<Partial<Record<LetterKind, Topic>>> = {
  'confirm-subscription': 'subscription-requests',
  'subscription-confirmed': 'newsletter',
  invitation: 'invitations',
  'quota-reached': 'quota',
  'alerts-raised': 'alerts',
};
export const topicOf = (kind: LetterKind): Topic | null => TOPIC_OF[kind] ?? null;

export const kindsOf = (topic: Topic): readonly LetterKind[] =>
  (Object.keys(TOPIC_OF) as LetterKind[]).filter((kind) => TOPIC_OF[kind] === topic);

const CONTEXT = 'letters:unsubscribe';
const DIGEST_BYTES = 32;
const TOKEN_CHARS_MAX = 512;

export type Unsubscription = {
  readonly addressDigest: Buffer;
  readonly topic: Topic;
  /** The email that the link is in; null for links of earlier releases. */
  readonly letterId: string | null;
};

/** Sealed, so that the link does not show the address. Valid as long as SECRET_KEY lists its version. */
export const sealUnsubscription = (
  secrets: Secrets,
  {
    addressDigest,
    topic,
    letterId,
  }: Omit<Unsubscription, 'letterId'> & { readonly letterId?: string | null },
): string =>
  secrets
    .seal(Buffer.concat([addressDigest, Buffer.from([topic, letterId ?? []].flat().join(' '))]), CONTEXT)
    .toString('base64url');

/** Null for a token that we did not make. */
export function openUnsubscription(secrets: Secrets, token: string): Unsubscription | null {
  if (token.length > TOKEN_CHARS_MAX || !/^[\w-]+$/.test(token)) return null;
  const plain = secrets.open(Buffer.from(token, 'base64url'), CONTEXT);
  const [named, letterId = null] = plain?.subarray(DIGEST_BYTES).toString().split(' ') ?? [];
  const topic = TOPICS.find((each) => each === named);
  return plain === null || topic === undefined
    ? null
    : { addressDigest: plain.subarray(0, DIGEST_BYTES), topic, letterId };
}
