import { readTags } from './tag-list.ts';

const POLICIES = ['none', 'quarantine', 'reject'] as const;
export type DmarcPolicy = (typeof POLICIES)[number];

/** What receivers are asked to do with mail that only pretends to come from a domain (RFC 7489). */
export type Dmarc = {
  readonly text: string;
  /** Of the name asked about: the organization's word for its subdomains where it is inherited. */
  readonly policy: DmarcPolicy;
  /** Of how much mail that fails, in percent. */
  readonly percent: number;
  readonly isInherited: boolean;
};

/** 6.6.3: by name, and the version exactly as the RFC writes it. */
const RECORD = /^\s*v\s*=\s*DMARC1\s*(?:;|$)/;

/** From the TXT records below `_dmarc` of the name; null when receivers find none that they can use. */
export const readDmarc = (texts: readonly string[]): Dmarc | null => read(texts, false);

/** From those of the organizational domain, for a name that has none of its own (6.6.3 step 3). */
export const inheritDmarc = (texts: readonly string[]): Dmarc | null => read(texts, true);

function read(texts: readonly string[], isInherited: boolean): Dmarc | null {
  const records = texts.filter((text) => RECORD.test(text));
  const [text] = records;
  // 6.6.3 step 5: more than one is none.
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
  // 6.6.3 step 6: without policies that can be read it counts as `none` when reports are wanted, else not at all.
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
