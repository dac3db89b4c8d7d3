import { DELISTED_ELSEWHERE } from './contradictions.ts';
import { type Case, isName, isTenantSuffix, namesItself } from './facts.ts';
import { type Findings, findingsOf, isEmptyFile } from './findings.ts';
import type { RiskLevel } from './levels.ts';
import type { Contradiction, RecommendedAction } from './verdict.ts';

export type Rung = {
  readonly level: RiskLevel;
  readonly word: string;
  readonly action: RecommendedAction;
};

/**
 * What each level is called and what to do about it (O49, O53). Every surface reads this table: a level, a word or an
 * action that is decided elsewhere would contradict it sooner or later. `safe` needs a voucher for the value itself;
 * any other score below `low` is inconclusive, because unknown is never clean (O51).
 */
export const LADDER = {
  malicious: { level: 'critical', word: 'Malicious', action: 'block' },
  highRisk: { level: 'high', word: 'High risk', action: 'block' },
  suspicious: { level: 'medium', word: 'Suspicious', action: 'review' },
  lowRisk: { level: 'low', word: 'Low risk', action: 'monitor' },
  /** In answers the name of the service follows this word. */
  commonService: { level: 'safe', word: 'Common service', action: 'allow' },
  knownGood: { level: 'safe', word: 'Known good', action: 'allow' },
  popularSite: { level: 'safe', word: 'Popular site', action: 'allow' },
  reserved: { level: 'safe', word: 'Reserved address', action: 'allow' },
  reservedName: { level: 'safe', word: 'Reserved name', action: 'allow' },
  /** All accusations have faded, or their sources dropped them. */
  oldReport: { level: 'inconclusive', word: 'Old report', action: 'monitor' },
  /** Current accusations that are too weak, or too far from the value, to count. */
  weakReport: { level: 'inconclusive', word: 'Weak report', action: 'monitor' },
  tracking: { level: 'inconclusive', word: 'Tracking only', action: 'monitor' },
  /** An empty file says nothing, because every program writes such files. */
  emptyFile: { level: 'inconclusive', word: 'Empty file', action: 'monitor' },
  platform: { level: 'inconclusive', word: 'Platform: judge the name below it', action: 'unverified' },
  notListed: { level: 'inconclusive', word: 'Not listed', action: 'unverified' },
  notSeen: { level: 'inconclusive', word: 'Not seen', action: 'unverified' },
  notLoaded: { level: 'inconclusive', word: 'No data', action: 'unverified' },
} as const satisfies Readonly<Record<string, Rung>>;

type Accusing = Exclude<RiskLevel, 'safe' | 'inconclusive'>;
const OF_LEVEL: Readonly<Record<Accusing, Rung>> = {
  critical: LADDER.malicious,
  high: LADDER.highRisk,
  medium: LADDER.suspicious,
  low: LADDER.lowRisk,
};

export const isAccusing = (level: RiskLevel): level is Accusing =>
  level !== 'safe' && level !== 'inconclusive';

export function rungOf(findings: Findings, contradictions: readonly Contradiction[]): Rung {
  const { level } = findings;
  if (isAccusing(level))
    return lifted({ ...OF_LEVEL[level], action: actionAt(level, contradictions) }, findings);
  if (level === 'inconclusive') return lifted(openRung(findings), findings);
  const rung = safeRung(findings);
  // A scanner detects a value that a list vouches for, so a person must decide before it is allowed (O50).
  return hasGrave(contradictions) ? { ...rung, action: 'review' } : rung;
}

/**
 * Level and word alone, for counts over the whole corpus: contradictions change only the action, and named services are
 * counted together.
 */
export function wordOfCase(of: Case): Pick<Rung, 'level' | 'word'> {
  const { level, word } = rungOf(findingsOf(of), []);
  const { word: service } = LADDER.commonService;
  return { level, word: word.startsWith(`${service}: `) ? service : word };
}

/** A value that is listed itself and imitates a known name is raised from `monitor` to `review` (O54). */
function lifted(rung: Rung, { of, active }: Findings): Rung {
  if (rung.action !== 'monitor' || !of.lookalike) return rung;
  return active.some((listing) => namesItself(listing, of.subject)) ? { ...rung, action: 'review' } : rung;
}

const hasGrave = (contradictions: readonly Contradiction[]): boolean =>
  contradictions.some(({ severity }) => severity === 'high');

/** The rung of a contact or another value that is judged by its score alone. */
export const rungOfLevel = (level: RiskLevel, contradictions: readonly Contradiction[] = []): Rung => {
  if (isAccusing(level)) return { ...OF_LEVEL[level], action: actionAt(level, contradictions) };
  return level === 'safe' ? LADDER.knownGood : LADDER.notListed;
};

function actionAt(level: Accusing, contradictions: readonly Contradiction[]): RecommendedAction {
  const { action } = OF_LEVEL[level];
  if (level === 'high' && hasGrave(contradictions)) return 'escalate';
  // Delistings are common, so only a signal in favour of the value asks for a review.
  if (level === 'low' && contradictions.some(({ type }) => type !== DELISTED_ELSEWHERE)) return 'review';
  return action;
}

function safeRung({ standing, active, vouchers, of }: Findings): Rung {
  // A listing of a reserved address is about another network, but a person should know of it (trap 16a).
  if (standing === 'reserved')
    return active.length > 0 ? { ...reservedRung(of), action: 'monitor' } : reservedRung(of);
  const service = vouchers.find(({ isGood, type }) => isGood && type === 'named_service');
  if (service !== undefined)
    return { ...LADDER.commonService, word: `${LADDER.commonService.word}: ${service.sourceName}` };
  const isNamed = vouchers.some(({ isGood, type }) => isGood && type !== 'popular');
  return isNamed ? LADDER.knownGood : LADDER.popularSite;
}

const reservedRung = (of: Case): Rung => (isName(of) ? LADDER.reservedName : LADDER.reserved);

function openRung({ standing, of, scored }: Findings): Rung {
  if (isEmptyFile(of)) return LADDER.emptyFile;
  switch (standing) {
    case 'listed':
    case 'trace':
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
