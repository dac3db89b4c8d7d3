import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { createKeptHmac } from './kept-hmac.ts';

/** A separate key for each purpose, so that a key leaked from one use is worthless in another (foundation rule 11). */
const PURPOSES = ['stored', 'stream', 'session', 'walk', 'device'] as const;
type Purpose = (typeof PURPOSES)[number];

/** Several versions of one secret: the newest writes, every listed version still reads. */
export type Secrets = {
  readonly newest: number;
  readonly versions: readonly number[];
  /** The key of a purpose under a version; undefined when that version was retired. */
  readonly keyFor: (purpose: Purpose, version: number) => KeyObject | undefined;
  /** HMAC-SHA-256 of a text under the version's secret itself; undefined when that version was retired. */
  readonly hmacUnder: (version: number, text: string) => Buffer | undefined;
  /** Compares `expected` with that HMAC in constant time; undefined when the version was retired. */
  readonly matchesUnder: (version: number, text: string, expected: Uint8Array) => boolean | undefined;
  /** Encrypts for storage. `context` (such as a table and id) must be the same when it is opened. */
  readonly seal: (plain: Uint8Array, context: string) => Buffer;
  /** The plain bytes; null when they were altered, have another context or a retired version. */
  readonly open: (sealed: Uint8Array, context: string) => Buffer | null;
};

const SECRET_CHARS_MIN = 32;
const VERSION_MAX = 0xffff;
const DERIVED_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Every envelope begins with the format byte and two bytes of version. */
const ENVELOPE_FORMAT = 1;
const HEADER_BYTES = 3;

/** Reads `2:new,1:old`: newest first, so versions must fall. Throws one sentence for any other text. */
export function createSecrets(text: string): Secrets {
  const entries = parseVersions(text);
  const newest = entries[0]?.version ?? 0;
  const hmacs = new Map(entries.map(({ version, secret }) => [version, createKeptHmac(secret)]));
  const keys = new Map<string, KeyObject>();
  for (const { version, secret } of entries)
    for (const purpose of PURPOSES) keys.set(`${purpose}:${version}`, deriveKey(secret, purpose));
  const keyFor = (purpose: Purpose, version: number) => keys.get(`${purpose}:${version}`);
  return {
    newest,
    versions: entries.map(({ version }) => version),
    keyFor,
    hmacUnder: (version, message) => hmacs.get(version)?.of(message),
    matchesUnder: (version, message, expected) => hmacs.get(version)?.matches(message, expected),
    seal: (plain, context) => seal(keyFor('stored', newest), newest, plain, context),
    open: (sealed, context) => open(keyFor, sealed, context),
  };
}

function parseVersions(text: string): readonly { version: number; secret: string }[] {
  const entries = text.split(',').map((part) => {
    const match = /^(\d{1,5}):(\S+)$/.exec(part);
    const version = Number(match?.[1]);
    const secret = match?.[2] ?? '';
    if (match === null || version > VERSION_MAX || secret.length < SECRET_CHARS_MIN)
      throw new Error(
        `A secret must read VERSION:SECRET with a version up to ${VERSION_MAX} and at least ${SECRET_CHARS_MIN} characters.`,
      );
    return { version, secret };
  });
  for (let i = 1; i < entries.length; i += 1)
    if ((entries[i]?.version ?? 0) >= (entries[i - 1]?.version ?? 0))
      throw new Error('The versions of a secret must be listed newest first, each once.');
  return entries;
}

const deriveKey = (secret: string, purpose: Purpose): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `assay:${purpose}`, DERIVED_BYTES)));

function seal(key: KeyObject | undefined, version: number, plain: Uint8Array, context: string): Buffer {
  if (key === undefined) throw new Error('There is no key to seal with.');
  const header = Buffer.from([ENVELOPE_FORMAT, version >> 8, version & 0xff]);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.concat([header, Buffer.from(context)]));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([header, nonce, cipher.getAuthTag(), body]);
}

function open(keyFor: Secrets['keyFor'], sealed: Uint8Array, context: string): Buffer | null {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const bodyAt = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;
  if (bytes.length < bodyAt || bytes[0] !== ENVELOPE_FORMAT) return null;
  const key = keyFor('stored', bytes.readUInt16BE(1));
  if (key === undefined) return null;
  const nonce = bytes.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.concat([bytes.subarray(0, HEADER_BYTES), Buffer.from(context)]));
  decipher.setAuthTag(bytes.subarray(HEADER_BYTES + NONCE_BYTES, bodyAt));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()]);
  } catch {
    return null;
  }
}
