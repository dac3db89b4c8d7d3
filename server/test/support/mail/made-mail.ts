import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import type { FileTools } from '#domain/mail/files/read-attachment.ts';
import { type MailTrust, readAuthentication } from '#domain/mail/headers/authentication.ts';
import { connectingAddress } from '#domain/mail/headers/received.ts';
import type { MessageFacts } from '#domain/mail/message-facts.ts';
import { readMessage } from '#domain/mail/read-message.ts';
import type {
  ContactWord,
  ItemWord,
  MailAnswers,
  NameWord,
  SenderPosture,
} from '#domain/mail/verdict/item-word.ts';
import { judgeMessage, type MailJudgement } from '#domain/mail/verdict/judge-message.ts';

export const TOOLS: FileTools = {
  digest: (bytes) => ({
    sha256: createHash('sha256').update(bytes).digest('hex'),
    sha1: createHash('sha1').update(bytes).digest('hex'),
    md5: createHash('md5').update(bytes).digest('hex'),
  }),
  inflate: (bytes, bytesMax) => {
    try {
      return inflateRawSync(bytes, { maxOutputLength: bytesMax });
    } catch {
      return null;
    }
  },
};

export type MadePart = {
  readonly type: string;
  readonly content: string | Uint8Array;
  readonly filename?: string;
  readonly disposition?: 'inline' | 'attachment';
};
export type MadeMail = {
  readonly from?: string;
  readonly headers?: readonly string[];
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
  readonly parts?: readonly MadePart[];
};

const BOUNDARY = 'part-of-this-message-5e1c';

/** A message as a mail program writes it. */
export function makeMail(mail: MadeMail): Buffer {
  const head = [
    ...(mail.headers ?? []),
    `From: ${mail.from ?? 'Anna Berg <anna@kunde.example.org>'}`,
    'To: Bernd Falk <bernd@firma.example.net>',
    `Subject: ${mail.subject ?? 'Meeting notes'}`,
    'Date: Mon, 17 Aug 2026 09:12:44 +0200',
    'Message-ID: <20260817.1@kunde.example.org>',
    'MIME-Version: 1.0',
  ];
  const bodies: MadePart[] = [
    ...(mail.text === undefined && mail.html !== undefined
      ? []
      : [{ type: 'text/plain; charset=utf-8', content: mail.text ?? 'Hello.' }]),
    ...(mail.html === undefined ? [] : [{ type: 'text/html; charset=utf-8', content: mail.html }]),
    ...(mail.parts ?? []),
  ];
  const parts = bodies.map(({ type, content, filename, disposition }) => {
    const encoded = Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n');
    const name = filename === undefined ? '' : `; filename="${filename}"`;
    const shown =
      disposition === undefined && filename === undefined
        ? ''
        : `Content-Disposition: ${disposition ?? 'attachment'}${name}\r\n`;
    return `--${BOUNDARY}\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n${shown}\r\n${encoded}\r\n`;
  });
  return Buffer.from(
    `${head.join('\r\n')}\r\nContent-Type: multipart/mixed; boundary="${BOUNDARY}"\r\n\r\n${parts.join('')}--${BOUNDARY}--\r\n`,
  );
}

export const NO_WORD: NameWord = {
  weight: 0,
  level: 'inconclusive',
  sources: 0,
  sourceNames: [],
  family: null,
  isKnownGood: false,
  isAllowed: false,
  isEstablished: false,
  isRanked: false,
  isPlatform: false,
  isFree: false,
  isDisposable: false,
  isShortener: false,
  imitates: null,
};
export const LISTED: Pick<ItemWord, 'weight' | 'level' | 'sources' | 'sourceNames'> = {
  weight: 0.9,
  level: 'high',
  sources: 1,
  sourceNames: ['A list'],
};
export const ESTABLISHED: Partial<NameWord> = { isEstablished: true, isRanked: true };

export type Given = {
  /** What is known of each host, mail address, digest or IP address. */
  readonly words?: Readonly<Record<string, Partial<NameWord>>>;
  readonly contacts?: Readonly<Record<string, ContactWord>>;
  readonly trust?: Partial<MailTrust>;
  readonly posture?: SenderPosture | null;
  readonly hasPopularNames?: boolean;
  readonly hasThreatLists?: boolean;
};

export function answersTo(facts: MessageFacts, given: Given = {}): MailAnswers {
  const word = (...keys: (string | undefined)[]): NameWord =>
    Object.assign({}, NO_WORD, ...keys.map((key) => given.words?.[key ?? ''] ?? {}));
  const ip = connectingAddress(facts.received, given.trust?.trustedHops ?? 1);
  return {
    sender: facts.from?.email == null ? null : word(facts.from.email.domain.value, facts.from.email.value),
    replyTo: facts.replyTo.map(({ email }) =>
      email === null ? null : word(email.domain.value, email.value),
    ),
    links: facts.links.map(({ url, host }) => word(host.value, url)),
    shown: facts.links.map(({ shownDomain }) => (shownDomain === null ? null : word(shownDomain))),
    attachments: facts.attachments.map(({ digests, filename }) =>
      word(digests.sha256, filename ?? undefined),
    ),
    contacts: facts.contacts.map(
      ({ value }) => given.contacts?.[value] ?? { verdict: 'unknown', sources: 0 },
    ),
    connecting: ip === null ? null : { ip, word: word(ip.value) },
    connectingSkipped: ip === null ? 'none' : null,
    posture: given.posture ?? null,
    postureSkipped: given.posture === undefined ? 'none' : null,
    hasPopularNames: given.hasPopularNames ?? true,
    hasThreatLists: given.hasThreatLists ?? true,
  };
}

export async function judge(
  mail: MadeMail | Uint8Array,
  given: Given = {},
): Promise<MailJudgement & { readonly facts: MessageFacts }> {
  const facts = await readMessage(mail instanceof Uint8Array ? mail : makeMail(mail), TOOLS);
  const trust = { authservId: null, trustAuthenticationResults: false, trustedHops: 1, ...given.trust };
  const authentication = readAuthentication(facts.headers, trust);
  return { ...judgeMessage(facts, answersTo(facts, given), authentication), facts };
}
