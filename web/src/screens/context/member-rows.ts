import { type Member, verdictOf } from '@assay/sdk';
import type { Contact } from '../../box/contact-fragment.ts';
import { asnPath, networkPath, type Target } from '../../box/permalink.ts';
import type { Tone } from '../../ui/verdict-mark.tsx';

/** Where a value leads: the page of an indicator, of a network or range, or of a contact. */
export type Leads =
  | { readonly kind: 'indicator'; readonly target: Target }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'contact'; readonly contact: Contact };

export type MemberRow = {
  readonly id: string;
  readonly value: string;
  readonly leads: Leads;
  /** Null for a member of a kind that a check does not judge. */
  readonly verdict: { readonly word: string; readonly tone: Tone } | null;
  readonly score: number | null;
  readonly families: readonly string[];
  readonly categories: readonly string[];
  readonly when: { readonly word: string; readonly at: string | null };
  readonly sources: number | null;
};

const CATEGORIES_MAX = 3;

export const toRow = (member: Member): MemberRow => ({
  id: `${member.type} ${member.value}`,
  value: member.value,
  leads: leadsOf(member),
  verdict: verdictOfMember(member),
  score: member.level === null || member.level === 'inconclusive' ? null : member.score,
  families: member.families,
  categories: member.categories.slice(0, CATEGORIES_MAX),
  when: whenOf(member),
  sources: member.sources,
});

/** The verdict in the service's own word, with the tone of its level. */
function verdictOfMember({ level, word, action }: Member): MemberRow['verdict'] {
  if (level === null || word === null) return null;
  const evidence = {
    verdict: level === 'inconclusive' ? 'unknown' : level,
    ...(action !== null && { recommendedAction: action }),
  };
  return verdictOf({ insights: { riskScore: { level, word }, evidence } });
}

function leadsOf({ type, value }: Member): Leads {
  switch (type) {
    case 'ip':
    case 'domain':
    case 'url':
    case 'hash':
      return { kind: 'indicator', target: { type, value } };
    case 'cidr':
      return { kind: 'path', path: networkPath(value) };
    case 'asn':
      return { kind: 'path', path: asnPath(Number(value.replace(/^AS/i, ''))) };
    case 'email':
    case 'phone':
    case 'crypto':
      return { kind: 'contact', contact: { type, value } };
  }
}

/** The date of an entry and a word for its origin; never the date of the source's data, which dates no entry (O55). */
function whenOf({ firstSeen, dating }: Member): MemberRow['when'] {
  if (firstSeen === null || dating === 'undated') return { word: 'no date', at: null };
  return { word: dating === 'own' ? 'reported' : 'listed since', at: firstSeen };
}

/** One value on each line, not defanged, as block lists and searches need it. */
export const valuesText = (rows: readonly MemberRow[]): string =>
  rows.map(({ value }) => `${value}\n`).join('');
