import { readTags } from './tag-list.ts';

const POLICIES = ['none', 'quarantine', 'reject'] as const;
export type DmarcPolicy = (typeof POLICIES)[number];

/** What receivers are asked to do with mail that falsely claims to come from a domain (RFC 7489). */
export type Dmarc = {
  readonly text: string;
  /** The policy for the name that was looked up; when inherited, the organization's policy for subdomains. */
  readonly policy: DmarcPolicy;
  /** The share of failing mail that the policy applies to, in percent. */
  readonly percent: number;
  readonly isInherited: boolean;
};

/** A record starts with this exact tag and version (RFC 7489 6.6.3). */
const RECORD = /^\s*v\s*=\s*DMARC1\s*(?:;|$)/;

export const readDmarc = (texts: readonly string[]): Dmarc | null => read(texts, false);

/** Reads the records of the organizational domain, for a name without its own (RFC 7489 6.6.3 step 3). */
export const inheritDmarc = (texts: readonly string[]): Dmarc | null => read(texts, true);

function read(texts: readonly string[], isInherited: boolean): Dmarc | null {
  const records = texts.filter((text) => RECORD.test(text));
  const [text] = records;
  // Receivers ignore DMARC if a name has several records (RFC 7489 6.6.3 step 5).
  if (text === undefined || records.length > 1) return null;
  const tags = readTags(text);
  if (tags === null) return null;
  const asked = policyOf(tags.get('p'));
  const forSubdomains = tags.has('sp') ? policyOf(tags.get('sp')) : asked;
  const isReadable = asked !== null && forSubdomains !== null;
  if (isReadable)
    return {
      text: text.trim(),
      policy: isInherited ? forSubdomains : asked,
      percent: percentOf(tags.get('pct')),
      isInherited,
    };
  // Without a readable policy: `none` when it asks for reports, otherwise absent (RFC 7489 6.6.3 step 6).
  return tags.get('rua')?.includes(':') === true
    ? { text: text.trim(), policy: 'none', percent: 100, isInherited }
    : null;
}

const policyOf = (value: string | undefined): DmarcPolicy | null =>
  POLICIES.find((policy) => policy === value?.toLowerCase()) ?? null;

const percentOf = (value: string | undefined): number => {
  const percent = value === undefined || !/^\d{1,3}$/.test(value) ? 100 : Number(value);
  return Math.min(percent, 100);
};
