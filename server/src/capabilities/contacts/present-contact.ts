import {
  completenessOf,
  type Evidence,
  presentEvidence as evidenceOf,
  hasSources,
  isoOf,
  seenBy,
  trustOf,
  updatedAt,
} from '#capabilities/check/index.ts';
import type { Listing } from '#capabilities/corpus/index.ts';
import type { ContactVerdict, VerdictOfContact } from '#domain/contact/index.ts';
import { type CorpusFacts, isActive, isThreat, type Verdict } from '#domain/scoring/index.ts';
import { accusationsIn, confidenceOf } from './assess-contact.ts';
import type { ContactFactor, ContactRisk, ContactSource, PhoneResult } from './contract.ts';

type DataTrust = NonNullable<PhoneResult['dataTrust']>;

export const presentSources = (listings: readonly Listing[]): ContactSource[] =>
  listings.filter(isActive).map((listing) => {
    const { id, name, category, categories, threatClass, fpRisk, tags } = listing.source;
    return {
      id,
      name,
      category,
      categories: categories as string[],
      threatClass,
      fpRisk,
      tags: tags as string[],
      confidence: confidenceOf(listing),
    };
  });

export const categoriesOf = (listings: readonly Listing[]): string[] =>
  [
    ...new Set(
      listings
        .filter((listing) => isThreat(listing) && isActive(listing))
        .flatMap(({ source }) => [source.category, ...source.categories]),
    ),
  ].sort();

/** One factor for each accusing list; the points of the score are divided in proportion to their confidence. */
export function factorsOf(listings: readonly Listing[], score: number): ContactFactor[] {
  const accusing = listings.filter((listing) => isThreat(listing) && isActive(listing));
  const believed = accusing.map((listing) => confidenceOf(listing));
  const sum = believed.reduce((before, each) => before + each, 0);
  let [given, passed] = [0, 0];
  return accusing.map(({ source }, i) => {
    const confidence = believed[i] ?? 0;
    passed += confidence;
    // Rounds the running total and not each part, so that the whole points add up to the score exactly.
    const upTo = sum === 0 ? (i === accusing.length - 1 ? score : 0) : Math.round((score * passed) / sum);
    const contribution = upTo - given;
    given = upTo;
    return {
      name: source.id,
      weight: confidence / 100,
      score: confidence,
      contribution,
      description: `${source.name} lists it (${source.category}); its confidence is ${confidence} of 100.`,
    };
  });
}

export function summaryOf(what: string, listings: readonly Listing[], verdict: ContactVerdict): string {
  const count = accusationsIn(listings).length;
  if (count === 0) return `No list names this ${what}; that is no proof that it is harmless.`;
  const lists = count === 1 ? '1 list names' : `${count} lists name`;
  return verdict === 'malicious'
    ? `${lists} this ${what}, and that is enough to call it malicious.`
    : `${lists} this ${what}; that is a suspicion, not enough to call it malicious.`;
}

export const riskOf = ({ score, level, word }: VerdictOfContact, summary: string): ContactRisk => ({
  score,
  level,
  word,
  summary,
});

/** Evidence as in contract 2.6, with verdict, score and action of the rule for contacts (decisions 3.3). */
export const presentEvidence = (
  { score, level, action }: VerdictOfContact,
  reasons: readonly string[],
  verdict: Verdict,
  nowMs: number,
): Evidence => ({
  ...evidenceOf(verdict, isoOf(nowMs)),
  verdict: level === 'inconclusive' ? 'unknown' : level,
  score,
  reasons: reasons as string[],
  recommendedAction: action,
});

export type TrustInput = {
  readonly verdict: Verdict;
  readonly listings: readonly Listing[];
  readonly corpus: CorpusFacts;
  readonly snapshotId: string;
  readonly nowMs: number;
  /** When each live facet was obtained. */
  readonly live: Partial<Record<'dns' | 'whois', number>>;
};

/** Trust as in contract 2.5. Facets that a kind of contact cannot have count as missing. */
export function presentTrust({ nowMs, live, ...contact }: TrustInput): DataTrust {
  const dataAtMs = updatedAt(contact);
  const times = [
    ['sources', hasSources(contact) ? dataAtMs : undefined],
    ['whois', live.whois],
    ['dns', live.dns],
  ] as const;
  return trustOf(contact, isoOf(nowMs), seenBy(contact.listings.filter(isActive)), {
    lastUpdated: dataAtMs === 0 ? null : isoOf(dataAtMs),
    completeness: completenessOf(
      new Map(
        times.flatMap(([facet, atMs]) => (atMs === undefined ? [] : [[facet, { atMs, isStale: false }]])),
      ),
      nowMs,
    ),
  });
}
