import { inertText } from '#domain/text/inert-text.ts';

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi;
const CODE_POINT_MAX = 0x10ffff;
/** Entities are decoded twice, because trackers escape text that leak sites had escaped already. */
const PASSES = 2;

const decodeOnce = (text: string): string =>
  text.replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= CODE_POINT_MAX ? String.fromCodePoint(code) : whole;
  });

export function decodeEntities(text: string): string {
  let decoded = text;
  for (let pass = 0; pass < PASSES; pass += 1) decoded = decodeOnce(decoded);
  return decoded;
}

const SCHEME = /(https?|ftp):\/\/([^\s/?#<>"')\]]*)/gi;
const ONION = /\.onion\b/gi;
const MARKUP: Readonly<Record<string, string>> = { '<': '‹', '>': '›' };

/** Makes links harmless: every address with a scheme and every onion name is written so that no program links it. */
export const defangLinks = (text: string): string =>
  text
    .replace(SCHEME, (_whole, scheme: string, host: string) => {
      const dead = /^ftp$/i.test(scheme) ? 'fxp' : scheme.toLowerCase().replace('http', 'hxxp');
      return `${dead}[://]${host.replaceAll('.', '[.]')}`;
    })
    .replace(ONION, '[.]onion');

/**
 * The words of criminals or of a tracker as text that nothing interprets: one line without invisible characters, entities
 * read, no markup, no address that can be followed. Null when nothing is left.
 */
export function claimText(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null;
  const plain = inertText(decodeEntities(value), max);
  if (plain === null) return null;
  return inertText(
    defangLinks(plain).replace(/[<>]/g, (sign) => MARKUP[sign] ?? ''),
    max,
  );
}

const AI_MADE = /\[\s*ai[\s-]*(?:generated|made|summary)\b/i;
/** Words that trackers write where a value is unknown. */
const NOTHING_SAID = /^(?:n\/?a|none|null|unknown|not found|-)$/i;

/** A description; null if the tracker marks it as written by a model, because it is then no part of the claim. */
export function claimDescription(value: unknown, max: number): string | null {
  const text = claimText(value, max);
  return text === null || AI_MADE.test(text) || NOTHING_SAID.test(text) ? null : text;
}

const URL_MAX = 500;

/** The address at which a claim was posted, defanged; null if it is not a web address. */
export function claimUrlOf(value: unknown): string | null {
  if (typeof value !== 'string' || !/^https?:\/\/[^\s/]*[a-z0-9-]\.[a-z]{2,}/i.test(value.trim()))
    return null;
  return claimText(value.trim(), URL_MAX);
}

/** A host of a leak site, defanged: `abc[.]onion`, without path and port. Null when it is no host name. */
export function defangedHostOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const bare = value
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '');
  const end = bare.search(/[/?#:]/);
  const host = end === -1 ? bare : bare.slice(0, end);
  return /^(?:[a-z0-9_-]{1,63}\.)+[a-z0-9-]{2,63}$/.test(host) ? host.replaceAll('.', '[.]') : null;
}
