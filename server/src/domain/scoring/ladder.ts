import { DELISTED_ELSEWHERE } from './contradictions.ts';
import {
  type Case,
  isDriverList,
  isFormer,
  isName,
  isTenantSuffix,
  type ListingFacts,
  namesItself,
} from './facts.ts';
import { type Findings, findingsOf, isEmptyFile } from './findings.ts';
import { RISK_LEVELS, type RiskLevel } from './levels.ts';
import { isPlatformRoot } from './match-factor.ts';
import type { Contradiction, RecommendedAction } from './verdict.ts';
import { TEST } from './wording.ts';

export type Rung = {
  readonly level: RiskLevel;
  readonly word: string;
  readonly action: RecommendedAction;
};

/** A row of the ladder: its word, the levels at which it stands, and what to do. */
type LadderRow = Omit<Rung, 'level'> & { readonly levels: readonly RiskLevel[] };

/**
 * What a verdict is called and what to do about it (O49, O53, O59). Every surface reads this table: a word or an action
 * that is decided elsewhere would contradict it sooner or later. `safe` needs a voucher for the value itself; any other
 * score below `low` is inconclusive, because unknown is never clean (O51).
 */
export const LADDER = {
  /** The field `malicious` is true, and only then (O59). */
  malicious: { levels: ['critical', 'high'], word: 'Malicious', action: 'block' },
  criticalRisk: { levels: ['critical'], word: 'Critical risk', action: 'block' },
  highRisk: { levels: ['high'], word: 'High risk', action: 'block' },
  suspicious: { levels: ['medium'], word: 'Suspicious', action: 'review' },
  /** A source lists the value now. */
  reported: { levels: ['low'], word: 'Reported', action: 'monitor' },
  /** Sources listed the value, and none does now. */
  reportedLongAgo: { levels: ['low'], word: 'Reported long ago', action: 'monitor' },
  /** No source lists or listed the value itself: signals or listings of neighbours raise the score. */
  lowSuspicion: { levels: ['low'], word: 'Low suspicion', action: 'monitor' },
  /** In answers the name of the service follows this word. */
  commonService: { levels: ['safe'], word: 'Common service', action: 'allow' },
  knownGood: { levels: ['safe'], word: 'Known good', action: 'allow' },
  popularSite: { levels: ['safe'], word: 'Popular site', action: 'allow' },
  /** All accusations have faded, or their sources dropped them. */
  oldReport: { levels: ['inconclusive'], word: 'Old report', action: 'monitor' },
  /** Current accusations that are too weak, or too far from the value, to count. */
  weakReport: { levels: ['inconclusive'], word: 'Weak report', action: 'monitor' },
  tracking: { levels: ['inconclusive'], word: 'Tracking only', action: 'monitor' },
  platform: { levels: ['inconclusive'], word: 'Platform: judge the name below it', action: 'unverified' },
  notListed: { levels: ['inconclusive'], word: 'Not listed', action: 'unverified' },
  notSeen: { levels: ['inconclusive'], word: 'Not seen', action: 'unverified' },
  notLoaded: { levels: ['inconclusive'], word: 'No data', action: 'unverified' },
  /** Reputation does not apply to what standards reserve, even where a source lists it. */
  reserved: { levels: ['safe'], word: 'Reserved address', action: 'not-applicable' },
  reservedName: { levels: ['safe'], word: 'Reserved name', action: 'not-applicable' },
  /** An empty file says nothing, because every program writes such files. */
  emptyFile: { levels: RISK_LEVELS, word: 'Empty file', action: 'ignore' },
  /** Harmless, and published to be detected and blocked. */
  testFile: { levels: RISK_LEVELS, word: 'Test file', action: 'block' },
  /** A signed driver with a known hole. Honest software may need it, so a person decides. */
  vulnerableDriver: { levels: RISK_LEVELS, word: 'Vulnerable driver', action: 'review' },
} as const satisfies Readonly<Record<string, LadderRow>>;

type WordException = { readonly row: LadderRow; readonly applies: (findings: Findings) => boolean };

/**
 * The only verdicts whose word and action follow neither `malicious` nor the level (O70, O75); the first that applies
 * decides. Level, score and `malicious` stay as they are.
 */
export const WORD_EXCEPTIONS: readonly WordException[] = [
  { row: LADDER.reservedName, applies: ({ standing, of }) => standing === 'reserved' && isName(of) },
  { row: LADDER.reserved, applies: ({ standing }) => standing === 'reserved' },
  { row: LADDER.emptyFile, applies: ({ of }) => of.subject.kind === 'hash' && isEmptyFile(of) },
  { row: LADDER.testFile, applies: (findings) => isFileOn(findings, ({ category }) => category === TEST) },
  {
    row: LADDER.vulnerableDriver,
    applies: (findings) => isFileOn(findings, isDriverList) && !isBlockedByOwn(findings),
  },
];

/** A threat list of this sort has the file itself now. */
const isFileOn = ({ of, active }: Findings, isSort: (source: ListingFacts['source']) => boolean): boolean =>
  of.subject.kind === 'hash' &&
  active.some((listing) => isSort(listing.source) && namesItself(listing, of.subject));

/** The caller's organization blocks the value itself, which a softer advice of ours must not undo (O14). */
const isBlockedByOwn = ({ active }: Findings): boolean =>
  active.some(({ source }) => source.type === 'organization');

/** What the verdict knows besides the score: the field `malicious`, and whether a source lists the value. */
export type Report = { readonly isMalicious: boolean; readonly listed: 'now' | 'before' | 'never' };

type Accusing = Exclude<RiskLevel, 'safe' | 'inconclusive'>;
const OF_LEVEL: Readonly<Record<Exclude<Accusing, 'low'>, LadderRow>> = {
  critical: LADDER.criticalRisk,
  high: LADDER.highRisk,
  medium: LADDER.suspicious,
};
const OF_LOW: Readonly<Record<Report['listed'], LadderRow>> = {
  now: LADDER.reported,
  before: LADDER.reportedLongAgo,
  never: LADDER.lowSuspicion,
};

export const isAccusing = (level: RiskLevel): level is Accusing =>
  level !== 'safe' && level !== 'inconclusive';

export function rungOf(findings: Findings, contradictions: readonly Contradiction[]): Rung {
  const { level } = findings;
  const exception = WORD_EXCEPTIONS.find(({ applies }) => applies(findings));
  if (exception !== undefined) return rungAt(level, exception.row);
  if (isAccusing(level)) return lifted(accusingRung(level, reportOf(findings), contradictions), findings);
  if (level === 'inconclusive') return lifted(rungAt(level, openRow(findings)), findings);
  const rung = rungAt(level, safeRow(findings));
  // A scanner detects a value that a list vouches for, so a person must decide before it is allowed (O50).
  return hasGrave(contradictions) ? { ...rung, action: 'review' } : rung;
}

const rungAt = (level: RiskLevel, { word, action }: LadderRow): Rung => ({ level, word, action });

function accusingRung(
  level: Accusing,
  { isMalicious, listed }: Report,
  contradictions: readonly Contradiction[],
): Rung {
  const ofLevel = level === 'low' ? OF_LOW[listed] : OF_LEVEL[level];
  const rung = rungAt(level, isMalicious ? LADDER.malicious : ofLevel);
  if (level === 'high' && hasGrave(contradictions)) return { ...rung, action: 'escalate' };
  // Delistings are common, so only a signal in favour of the value asks for a review.
  if (level === 'low' && contradictions.some(({ type }) => type !== DELISTED_ELSEWHERE))
    return { ...rung, action: 'review' };
  return rung;
}

function reportOf({ active, scored }: Findings): Report {
  const wasListed = scored.counted.some(({ listing }) => isFormer(listing));
  return {
    isMalicious: scored.isMalicious,
    listed: active.length > 0 ? 'now' : wasListed ? 'before' : 'never',
  };
}

/**
 * Level and word alone, for counts over the whole corpus: contradictions change only the action, and named services are
 * counted together.
 */
export function wordOfCase(of: Case): Pick<Rung, 'level' | 'word'> {
  const { level, word } = rungOf(findingsOf(of), []);
  return { level, word: shortWordOf(word) };
}

/** The word without the name of a service, for counts. */
export function shortWordOf(word: string): string {
  const { word: service } = LADDER.commonService;
  return word.startsWith(`${service}: `) ? service : word;
}

/** A value that is listed itself and imitates a known name is raised from `monitor` to `review` (O54). */
function lifted(rung: Rung, { of, active }: Findings): Rung {
  if (rung.action !== 'monitor' || !of.lookalike) return rung;
  return active.some((listing) => namesItself(listing, of.subject)) ? { ...rung, action: 'review' } : rung;
}

const hasGrave = (contradictions: readonly Contradiction[]): boolean =>
  contradictions.some(({ severity }) => severity === 'high');

/** The rung of a contact, which is judged by its score and by whether a list holds it. */
export function rungOfLevel(
  level: RiskLevel,
  report: Report,
  contradictions: readonly Contradiction[] = [],
): Rung {
  if (isAccusing(level)) return accusingRung(level, report, contradictions);
  return rungAt(level, level === 'safe' ? LADDER.knownGood : LADDER.notListed);
}

function safeRow({ vouchers }: Findings): LadderRow {
  const service = vouchers.find(({ isGood, type }) => isGood && type === 'named_service');
  if (service !== undefined)
    return { ...LADDER.commonService, word: `${LADDER.commonService.word}: ${service.sourceName}` };
  const isNamed = vouchers.some(({ isGood, type }) => isGood && type !== 'popular');
  return isNamed ? LADDER.knownGood : LADDER.popularSite;
}

function openRow({ standing, of, scored }: Findings): LadderRow {
  switch (standing) {
    case 'listed':
    case 'trace':
      // What lists say of a platform is about its tenants, who are judged one by one.
      if (isPlatformRoot(of)) return LADDER.platform;
      return scored.counted.some(isOfNow) ? LADDER.weakReport : LADDER.oldReport;
    case 'tracker':
      return LADDER.tracking;
    case 'not-loaded':
      return LADDER.notLoaded;
    default:
      if (isTenantSuffix(of)) return LADDER.platform;
      return of.subject.kind === 'hash' ? LADDER.notSeen : LADDER.notListed;
  }
}

/** A listing counts as current while its source has it and at least half of its weight is left. */
const HALF = 0.5;
const isOfNow = ({ listing, weight }: Findings['scored']['counted'][number]): boolean =>
  listing.isDelisted !== true && weight.decay >= HALF;
