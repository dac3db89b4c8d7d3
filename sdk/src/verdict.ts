import type { BulkRow, CheckResult } from './generated/schemas.ts';

/** A plain string is a value of a newer service that this version does not know. */
export type VerdictId =
  | 'malicious'
  | 'high-risk'
  | 'suspicious'
  | 'low-risk'
  | 'known-good'
  | 'popular-site'
  | 'reserved'
  | 'old-report'
  | 'weak-report'
  | 'tracking'
  | 'empty-file'
  | 'platform'
  | 'not-listed'
  | 'not-seen'
  | 'not-checked'
  | 'unknown'
  | (string & Record<never, never>);

/** One tone for each level that accuses: a colour never says more than the level does. */
export type VerdictTone =
  | 'malicious'
  | 'high-risk'
  | 'suspicious'
  | 'low-risk'
  | 'unknown'
  | 'good'
  | 'neutral';

export type Verdict = { readonly id: VerdictId; readonly word: string; readonly tone: VerdictTone };

/** The fields that decide the word. Enums are plain strings, because a newer service may send other values. */
type Facts = {
  readonly malicious?: boolean | undefined;
  readonly riskScore?: { readonly level: string; readonly word?: string | undefined } | null | undefined;
  readonly evidence?: EvidenceFacts | null | undefined;
  readonly lookupStatus?: string | undefined;
  readonly infrastructure?: { readonly attributes: readonly string[] } | undefined;
};
type EvidenceFacts = { readonly verdict: string; readonly recommendedAction?: string | undefined };
type Judged = Pick<Facts, 'riskScore' | 'evidence'>;

export type StreamState = {
  readonly reputation?: (Omit<Facts, 'riskScore' | 'evidence'> & { readonly verdict?: Judged }) | undefined;
  readonly insights?: Judged | undefined;
};

const known = <T extends VerdictId>(id: T, word: string, tone: VerdictTone): Verdict => ({ id, word, tone });

const MALICIOUS = known('malicious', 'Malicious', 'malicious');
const HIGH_RISK = known('high-risk', 'High risk', 'high-risk');
const KNOWN_GOOD = known('known-good', 'Known good', 'good');
const RESERVED = known('reserved', 'Reserved address', 'neutral');
const UNKNOWN = known('unknown', 'Unknown', 'unknown');
const NOT_SEEN = known('not-seen', 'Not seen', 'unknown');
const NOT_CHECKED = known('not-checked', 'Not checked', 'unknown');

/**
 * Worst first. A value unknown to this version ranks between GRAVE and LESSER: it may mean anything, but must not hide
 * a grave one.
 */
const GRAVE: ReadonlyMap<string, Verdict> = new Map([
  ['critical', MALICIOUS],
  ['high', HIGH_RISK],
]);
const LESSER: ReadonlyMap<string, Verdict> = new Map([
  ['medium', known('suspicious', 'Suspicious', 'suspicious')],
  ['low', known('low-risk', 'Low risk', 'low-risk')],
]);
/** Values of level and verdict that accuse of nothing. */
const QUIET: ReadonlySet<string> = new Set(['safe', 'unknown', 'inconclusive']);

const byWord = (...verdicts: readonly Verdict[]): ReadonlyMap<string, Verdict> =>
  new Map(verdicts.map((verdict) => [verdict.word, verdict]));
/** The words that the service uses for the level `safe`. */
const SAFE = byWord(
  KNOWN_GOOD,
  RESERVED,
  known('reserved', 'Reserved name', 'neutral'),
  known('popular-site', 'Popular site', 'good'),
);
const OPEN = byWord(
  NOT_SEEN,
  known('not-listed', 'Not listed', 'unknown'),
  known('old-report', 'Old report', 'neutral'),
  known('weak-report', 'Weak report', 'neutral'),
  known('tracking', 'Tracking only', 'neutral'),
  known('empty-file', 'Empty file', 'neutral'),
  known('platform', 'Platform: judge the name below it', 'unknown'),
);

/**
 * The verdict of one check: the ladder of the service, by the level of the risk score. `malicious` decides nothing
 * where there is a level; where it is true the level is high or critical. Takes the answer of `check` or the phases of a stream;
 * without evidence the verdict is Unknown.
 */
export function verdictOf(of: CheckResult | StreamState): Verdict {
  return wordFor(factsOf(of));
}

/** The word of a level alone, as in `relatedInfrastructure`, or with the service's own word, as in counts by level. */
export const verdictOfLevel = (level: string, word?: string): Verdict =>
  wordFor({ riskScore: { level, word }, evidence: { verdict: level } });

/** The same for a row of `bulk`. A row that could not be judged has its reason in `error`. */
export function verdictOfRow(row: BulkRow): Verdict {
  if (row.error !== null && row.error !== undefined) return NOT_CHECKED;
  return wordFor({
    malicious: row.isMalicious,
    riskScore: row.riskLevel === undefined ? null : { level: row.riskLevel, word: row.word },
    evidence: row.evidence ?? impliedEvidence(row),
    lookupStatus: row.lookupStatus,
    infrastructure: row.infrastructure,
  });
}

/**
 * At `basic` a row has no evidence, but the service answers `allow` only where a source vouches or an RFC reserves the
 * address.
 */
function impliedEvidence({ riskLevel, recommendedAction }: BulkRow): EvidenceFacts | null {
  return riskLevel === 'safe' && recommendedAction === 'allow'
    ? { verdict: 'safe', recommendedAction }
    : null;
}

/** A check has `malicious` at the top level; a stream has it in its first phase. */
function factsOf(of: CheckResult | StreamState): Facts {
  if ('malicious' in of) return of;
  const { reputation = {}, insights } = of as StreamState;
  return { ...reputation, ...reputation.verdict, ...insights };
}

function wordFor(facts: Facts): Verdict {
  return accusationOf(facts) ?? openOf(facts) ?? safeOf(facts);
}

function accusationOf({ malicious, evidence, riskScore }: Facts): Verdict | null {
  const words = [evidence?.verdict, riskScore?.level].filter(isGiven);
  const grave = [...GRAVE.keys()].find((word) => words.includes(word));
  if (grave !== undefined) return GRAVE.get(grave) ?? null;
  // At `basic` an answer has no level, and `malicious` means at least high.
  if (malicious === true && words.length === 0) return HIGH_RISK;
  const unseen = words.find((word) => !LESSER.has(word) && !QUIET.has(word));
  if (unseen !== undefined) return asItCame(unseen);
  for (const [word, verdict] of LESSER) if (words.includes(word)) return verdict;
  return null;
}

/** Unknown is never good, and missing evidence is unknown too. */
function openOf(facts: Facts): Verdict | null {
  const { evidence, riskScore, lookupStatus, infrastructure } = facts;
  if (lookupStatus === 'unknown') return NOT_SEEN;
  const isOpen =
    evidence?.verdict === 'unknown' ||
    evidence?.recommendedAction === 'unverified' ||
    riskScore?.level === 'inconclusive';
  if (isOpen) return toldOf(OPEN, riskScore?.word, UNKNOWN);
  if (isGiven(lookupStatus) && lookupStatus !== 'known') return asItCame(lookupStatus);
  return evidence?.verdict === 'safe' || isReserved(infrastructure) ? null : UNKNOWN;
}

/** The service says `safe` only where a list vouches for the value itself, or a standard reserves it. */
const safeOf = ({ riskScore, infrastructure }: Facts): Verdict =>
  isReserved(infrastructure) ? RESERVED : toldOf(SAFE, riskScore?.word, KNOWN_GOOD);

/** A word of a newer service keeps the tone of its level. */
function toldOf(known: ReadonlyMap<string, Verdict>, word: string | undefined, other: Verdict): Verdict {
  if (!isGiven(word)) return other;
  return known.get(word) ?? { ...other, word };
}

const isReserved = (infrastructure: Facts['infrastructure']): boolean =>
  infrastructure?.attributes.includes('bogon') === true;

const isGiven = (text: string | undefined): text is string => typeof text === 'string' && text !== '';

const asItCame = (raw: string): Verdict => ({ id: raw, word: raw, tone: 'neutral' });
