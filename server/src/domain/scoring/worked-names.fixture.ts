import { caseOf, listingOf, NOW_H, sourceOf } from './case.fixture.ts';
import type { Case, ContextFacts, ListingFacts, SourceFacts } from './facts.ts';

const HOURS_PER_DAY = 24;
const HOUR_S = 3_600;

type Row = Partial<SourceFacts>;
/** Published lists as the catalogue describes them; the learned table has their cells. */
const LISTS: Readonly<Record<string, Row>> = {
  phishtank: { category: 'phishing' },
  'polkadot-phishing': { category: 'phishing', fpRisk: 'low' },
  destroylist: { category: 'phishing', lineage: 'destroylist' },
  'blp-phishing': { category: 'phishing' },
  'phishing-database': { category: 'phishing' },
  'sw-malware': { category: 'malware', letter: 'C', fpRisk: 'high', reliability: 0.5 },
  'maltrail-malware': { category: 'malware', keepsEntries: true },
};

type Entry = {
  readonly days?: number;
  readonly parent?: string;
  readonly leftDays?: number;
};

function entry(id: string, { days, parent, leftDays }: Entry = {}): ListingFacts {
  const firstSeenS = (NOW_H - (days ?? 0) * HOURS_PER_DAY) * HOUR_S;
  const matched = parent ?? NAME;
  return listingOf(sourceOf(id, { type: 'domain', ...LISTS[id] }), {
    matchType: parent === undefined ? 'exact' : 'parent',
    matched,
    firstSeenS,
    lastSeenS: (NOW_H - (leftDays ?? 0) * HOURS_PER_DAY) * HOUR_S,
    dating: days === undefined ? 'undated' : 'sighted',
    hasOwnLastSeen: false,
    ...(leftDays !== undefined && { isDelisted: true }),
  });
}

export const NAME = 'name.example';
const named = (listings: readonly ListingFacts[], context: Partial<ContextFacts> = {}, value = NAME): Case =>
  caseOf({ subject: { kind: 'domain', value }, listings, context });

export type WorkedName = {
  readonly name: string;
  readonly of: Case;
  readonly score: number;
  /** Points by source and by adjustment. */
  readonly parts: Readonly<Record<string, number>>;
};

/** The worked examples of names (scoring 2): the table and the ladder give these points, and nobody chose them. */
export const WORKED_NAMES: readonly WorkedName[] = [
  {
    name: 'a phishing host that a list which removes entries got eleven days ago',
    of: named([entry('phishtank', { days: 11 })]),
    score: 63,
    parts: { phishtank: 63 },
  },
  {
    name: 'a name on one precise list',
    of: named([entry('polkadot-phishing')]),
    score: 77,
    parts: { 'polkadot-phishing': 77 },
  },
  {
    name: 'a name on a precise list and on a less precise one',
    of: named([entry('polkadot-phishing'), entry('destroylist')]),
    score: 79,
    parts: { 'polkadot-phishing': 75, destroylist: 4 },
  },
  {
    name: 'a name below a listed one, on a second list itself',
    of: named([entry('polkadot-phishing', { parent: 'example' }), entry('destroylist')]),
    score: 75,
    parts: { 'polkadot-phishing': 71, destroylist: 4 },
  },
  {
    name: 'an honest shop on a list of which people visit 1 in 364 entries',
    of: named([entry('blp-phishing')]),
    score: 24,
    parts: { 'blp-phishing': 24 },
  },
  {
    name: 'two lists that people find many sites on',
    of: named([entry('phishing-database'), entry('blp-phishing')]),
    score: 38,
    parts: { 'phishing-database': 33, 'blp-phishing': 5 },
  },
  {
    name: 'a list of which people visit 1 in 89 entries gives the least',
    of: named([entry('sw-malware')]),
    score: 10,
    parts: { 'sw-malware': 10 },
  },
  {
    name: 'a dated entry, 19 days old, of a list that takes nothing back',
    of: named([entry('maltrail-malware', { days: 19 })]),
    score: 51,
    parts: { 'maltrail-malware': 51 },
  },
  {
    name: 'an undated entry of a list that takes nothing back',
    of: named([entry('maltrail-malware')]),
    score: 34,
    parts: { 'maltrail-malware': 34 },
  },
];
