import { MAIL_LIMITS } from '../limits.ts';

export type Header = { readonly name: string; readonly value: string };
export type HeaderBlock = {
  /** Fields in the order of the message, names in lower case, values unfolded. */
  readonly headers: readonly Header[];
  /** The byte offset at which the body begins. */
  readonly bodyAt: number;
  readonly isCut: boolean;
};

const LF = 10;
const CR = 13;
const NAME = /^[!-9;-~]{1,200}$/;
const AUTHOR_FIELDS: ReadonlySet<string> = new Set(['from', 'reply-to', 'return-path', 'subject']);
const AUTHOR_FIELDS_MAX = 20;
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const latin = new TextDecoder('latin1');

/** Header text is UTF-8 (RFC 6532); older messages have Latin-1 in it. */
export function decodeHeaderText(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return latin.decode(bytes);
  }
}

function endOfBlock(bytes: Uint8Array, limit: number): { readonly end: number; readonly bodyAt: number } {
  for (let at = 0; at < limit; ) {
    const lineEnd = bytes.indexOf(LF, at);
    const stop = lineEnd === -1 || lineEnd >= limit ? limit : lineEnd;
    const isBlank = stop === at || (stop === at + 1 && bytes[at] === CR);
    if (isBlank && stop < limit) return { end: at, bodyAt: stop + 1 };
    at = stop + 1;
  }
  return { end: limit, bodyAt: limit };
}

/**
 * Reads the header block of a message. An mbox separator before it is left out. Lines that are no fields are ignored, and
 * continuation lines belong to the field above (RFC 5322 2.2.3).
 */
export function readHeaders(bytes: Uint8Array): HeaderBlock {
  const limit = Math.min(bytes.length, MAIL_LIMITS.headerBlockBytesMax);
  const { end, bodyAt } = endOfBlock(bytes, limit);
  const lines = decodeHeaderText(bytes.subarray(0, end)).split('\n');
  const headers: { name: string; value: string }[] = [];
  let isCut = end === limit && limit < bytes.length;
  /** The field that a continuation line continues; null after a line that is no field or a field that was left out. */
  let open: { name: string; value: string } | null = null;
  for (const [at, raw] of lines.entries()) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (line.startsWith(' ') || line.startsWith('\t')) {
      if (open === null) continue;
      if (open.value.length + line.length > MAIL_LIMITS.headerValueMax) isCut = true;
      else open.value += ` ${line.trim()}`;
      continue;
    }
    open = null;
    if (at === 0 && line.startsWith('From ')) continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trimEnd().toLowerCase();
    if (colon < 1 || !NAME.test(name)) continue;
    if (headers.length >= MAIL_LIMITS.headersMax) {
      isCut = true;
      // Author fields are kept beyond the limit, because a flood of other fields must not hide the sender.
      if (!AUTHOR_FIELDS.has(name) || headers.length >= MAIL_LIMITS.headersMax + AUTHOR_FIELDS_MAX) continue;
    }
    if (line.length > MAIL_LIMITS.headerValueMax) isCut = true;
    open = { name, value: line.slice(colon + 1, MAIL_LIMITS.headerValueMax).trim() };
    headers.push(open);
  }
  return { headers, bodyAt, isCut };
}

export const valuesOf = (headers: readonly Header[], name: string): readonly string[] =>
  headers.flatMap((header) => (header.name === name ? [header.value] : []));

export const firstOf = (headers: readonly Header[], name: string): string | null =>
  headers.find((header) => header.name === name)?.value ?? null;

const MAIL_FIELDS: ReadonlySet<string> = new Set(['from', 'received', 'message-id', 'date', 'subject']);

/** True if an e-mail field such as From or Date is present; otherwise the bytes are no message (decisions 3.11). */
export const isMessage = (headers: readonly Header[]): boolean =>
  headers.some(({ name }) => MAIL_FIELDS.has(name));
