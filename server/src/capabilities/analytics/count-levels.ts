import { contextOf, KIND, type Listing, type Source } from '#capabilities/corpus/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import {
  type CorpusFacts,
  hourOf,
  type RiskLevel,
  type Rung,
  type Subject,
  type SubjectKind,
  shortWordOf,
  wordOfCase,
} from '#domain/scoring/index.ts';
import { DAY_S } from '#platform/time-units.ts';
import { isCounted } from './count-threats.ts';

/** Indicators that the same sources list with dates of the same days; each group is scored once. */
export type ListedAlike = {
  readonly kind: number;
  /** Prefix length of a range; 0 for other kinds. */
  readonly bits: number;
  /** One number per source, as `SIGNATURE_BASE` describes. */
  readonly signature: readonly number[];
  readonly count: number;
};
/** Counts by level, then by ladder word: a faded report and a weak one have the same level but different words. */
export type LevelCounts = Readonly<Record<RiskLevel, Readonly<Record<string, number>>>>;

/**
 * One listing as a number, written by the scan: the source number times this base, plus the day from which it ages, 0
 * where the date is that of the source, `UNDATED`, or the size of its popularity bucket (`RANKS_FROM`).
 */
export const SIGNATURE_BASE = 100_000;
/** Numbers from here on are ranks: days since 1970 stay below until 2216. */
export const RANKS_FROM = 90_000;
/** Stands for the day of an entry without a date, in a source whose entries age by their own dates. */
export const UNDATED = 99_999;

const KINDS: Readonly<Record<number, SubjectKind>> = {
  [KIND.ipv4]: 'ip',
  [KIND.ipv6]: 'ip',
  [KIND.cidr4]: 'ip',
  [KIND.cidr6]: 'ip',
  [KIND.domain]: 'domain',
  [KIND.url]: 'url',
  [KIND.md5]: 'hash',
  [KIND.sha1]: 'hash',
  [KIND.sha256]: 'hash',
  [KIND.email]: 'email',
  [KIND.crypto]: 'crypto',
  [KIND.phone]: 'phone',
};

/**
 * Counts threats by risk level, from the listings of each indicator itself. Listings of a range around it, a domain
 * above it, its neighbours or its network would need a lookup per indicator. Networks (AS numbers) have no level.
 */
export function countLevels(
  groups: readonly ListedAlike[],
  sources: readonly Source[],
  nowMs: number,
): LevelCounts {
  const judge = judgeOfGroups(sources, nowMs);
  const counts: Record<RiskLevel, Record<string, number>> = {
    critical: {},
    high: {},
    medium: {},
    low: {},
    inconclusive: {},
    safe: {},
  };
  for (const group of groups) {
    const judged = judge(group);
    if (judged === null) continue;
    const words = counts[judged.level];
    words[judged.word] = (words[judged.word] ?? 0) + group.count;
  }
  return counts;
}

/** Adds the counts of standings, which were judged one by one, to the counts of groups. Named services are one word. */
export function addStandings(
  counted: LevelCounts,
  standings: readonly { readonly level: string; readonly word: string; readonly count: number }[],
): LevelCounts {
  const sum = Object.fromEntries(
    Object.entries(counted).map(([level, words]) => [level, { ...words }]),
  ) as Record<RiskLevel, Record<string, number>>;
  for (const { level, word, count } of standings) {
    const words = sum[level as RiskLevel];
    const name = shortWordOf(word);
    words[name] = (words[name] ?? 0) + count;
  }
  return sum;
}

type JudgedGroup = Pick<Rung, 'level' | 'word'> & {
  /** The sources whose listings accuse this group. */
  readonly accusers: readonly Source[];
};

/** The level and word of a group by its own listings; null for a group that no enabled threat source lists. */
export function judgeOfGroups(
  sources: readonly Source[],
  nowMs: number,
): (group: Omit<ListedAlike, 'count'>) => JudgedGroup | null {
  const byNumber = new Map(sources.filter(({ enabled }) => enabled).map((each) => [each.number, each]));
  const nowH = hourOf(nowMs / 1_000);
  return ({ kind, bits, signature }) => {
    const subjectKind = KINDS[kind];
    if (subjectKind === undefined) return null;
    const listings = signature.flatMap((each) => listingOf(each, bits, byNumber) ?? []);
    const accusers = listings.flatMap(({ source }) => (isCounted(source) ? [source] : []));
    if (accusers.length === 0) return null;
    const subject: Subject = { kind: subjectKind, value: NAME, ...ipVersionOf(kind) };
    const context = contextOf(listings, NOBODY);
    return { ...wordOfCase({ subject, listings, context, asn: null, corpus: NO_CORPUS, nowH }), accusers };
  };
}

function listingOf(signature: number, bits: number, byNumber: ReadonlyMap<number, Source>): Listing | null {
  const source = byNumber.get(Math.floor(signature / SIGNATURE_BASE));
  if (source === undefined) return null;
  const said = signature % SIGNATURE_BASE;
  const isRank = said >= RANKS_FROM && said < UNDATED;
  const hasDay = said > 0 && said < RANKS_FROM;
  return {
    source,
    matchType: bits > 0 ? 'cidr' : 'exact',
    matched: NAME,
    firstSeenS: hasDay ? said * DAY_S : 0,
    lastSeenS: hasDay ? said * DAY_S : source.dataAtS,
    dating: said === UNDATED ? 'undated' : 'own',
    confidence: -1,
    ...(bits > 0 && { prefixBits: bits }),
    ...(isRank && { rank: 10 ** (said - RANKS_FROM) }),
  };
}

const ipVersionOf = (kind: number): Pick<Subject, 'ipVersion'> => {
  if (kind === KIND.ipv4 || kind === KIND.cidr4) return { ipVersion: 4 };
  return kind === KIND.ipv6 || kind === KIND.cidr6 ? { ipVersion: 6 } : {};
};

/** A placeholder: indicators listed alike have the same score, whatever their value. */
const NAME = 'an-indicator.example.com';
const NOBODY: Indicator = { kind: 'domain', value: NAME, registrable: 'example.com' };
/** Only listings decide the score here; coverage matters only for unlisted indicators. */
const NO_CORPUS: CorpusFacts = {
  coverage: 0,
  defaultShare: null,
  otherSources: 0,
  corpusFresh: 0,
  freshSources: 0,
  freshScanners: 0,
  newestDataH: 0,
};
