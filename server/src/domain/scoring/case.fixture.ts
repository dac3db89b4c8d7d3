import type { Case, ContextFacts, CorpusFacts, GuardName, ListingFacts, SourceFacts } from './facts.ts';

/** An hour in November 2026; no test depends on which. */
export const NOW_H = 498_000;
const HOUR_S = 3_600;

let numbers = 0;

/** A typical source of the catalogue: grade B, one opinion, fetched within the hour. */
export function sourceOf(id: string, settings: Partial<SourceFacts> = {}): SourceFacts {
  numbers += 1;
  return {
    number: numbers,
    id,
    name: id,
    type: 'ip',
    category: 'bruteforce',
    categories: [settings.category ?? 'bruteforce'],
    threatClass: 'threat',
    fpRisk: 'medium',
    signal: 'feed',
    scannerKinds: [],
    adOnly: false,
    semantics: 'state',
    keepsEntries: false,
    cidrSemantics: 'observed',
    reliability: 0.75,
    letter: 'B',
    lineage: null,
    cluster: null,
    echoes: {},
    aggregate: false,
    intervalS: HOUR_S,
    tags: [],
    entityTypes: [],
    enabled: true,
    dataAtS: NOW_H * HOUR_S,
    lastFetchAtS: NOW_H * HOUR_S,
    ...settings,
  };
}

/** Grade A with few false positives: one such source is enough for level high. */
export const GRADE_A = { letter: 'A', reliability: 0.95, fpRisk: 'low' } as const;

export const SUBJECT = { kind: 'ip', value: '192.0.2.1', ipVersion: 4 } as const;

type Entry = Partial<Omit<ListingFacts, 'source'>> & { readonly ageH?: number };

export function listingOf(source: SourceFacts, { ageH = 0, ...entry }: Entry = {}): ListingFacts {
  const lastSeenS = (NOW_H - ageH) * HOUR_S;
  return {
    source,
    matchType: 'exact',
    matched: SUBJECT.value,
    firstSeenS: lastSeenS,
    lastSeenS,
    dating: 'own',
    hasOwnLastSeen: true,
    ...entry,
  };
}

export const listed = (id: string, settings: Partial<SourceFacts> = {}, entry: Entry = {}): ListingFacts =>
  listingOf(sourceOf(id, settings), entry);

export const CORPUS: CorpusFacts = {
  coverage: 1,
  defaultShare: 1,
  otherSources: 0,
  corpusFresh: 1,
  freshSources: 12,
  freshScanners: 0,
  newestDataH: NOW_H,
};

export const NO_CONTEXT: ContextFacts = {
  guards: [],
  inheritedGuards: [],
  rankBucket: null,
  platform: null,
  isTenantSuffix: false,
  isReserved: false,
  popularKinds: ['mixed', 'links'],
};

export const guardedBy = (
  ...guards: readonly (GuardName | readonly [GuardName, 'itself' | 'host'])[]
): ContextFacts['guards'] =>
  guards.map((one) => {
    const [guard, scope] = typeof one === 'string' ? ([one, 'itself'] as const) : one;
    return { guard, scope, sourceId: `${guard}-list`, matched: SUBJECT.value };
  });

export type CaseParts = Partial<Omit<Case, 'context'>> & { readonly context?: Partial<ContextFacts> };

export const caseOf = ({ context, ...parts }: CaseParts = {}): Case => ({
  subject: SUBJECT,
  listings: [],
  context: { ...NO_CONTEXT, ...context },
  asn: null,
  corpus: CORPUS,
  nowH: NOW_H,
  ...parts,
});
