import type { BulkRow, CheckResult } from './generated/schemas.ts';

/** A plain string is a value of a newer service that this version does not know. */
export type VerdictId =
  | 'malicious'
  | 'critical-risk'
  | 'high-risk'
  | 'suspicious'
  | 'reported'
  | 'reported-long-ago'
  | 'low-suspicion'
  | 'test-file'
  | 'vulnerable-driver'
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

/** `malicious` and `critical-risk` are drawn alike; the three words of level low have one tone. */
export type VerdictTone =
  | 'malicious'
  | 'critical-risk'
  | 'high-risk'
  | 'suspicious'
  | 'reported'
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
  readonly sources?: readonly { readonly category?: string | undefined }[] | undefined;
};
type EvidenceFacts = { readonly verdict: string; readonly recommendedAction?: string | undefined };
type Judged = Pick<Facts, 'riskScore' | 'evidence'>;

export type StreamState = {
  readonly reputation?: (Omit<Facts, 'riskScore' | 'evidence'> & { readonly verdict?: Judged }) | undefined;
  readonly insights?: Judged | undefined;
};

/** The id is the word in lower case with hyphens, unless another is given. */
const known = (
  word: string,
  tone: VerdictTone,
  id: VerdictId = word.toLowerCase().replaceAll(' ', '-'),
): Verdict => ({ id, word, tone });

const MALICIOUS = known('Malicious', 'malicious');
const LOW_SUSPICION = known('Low suspicion', 'reported');
const TEST_FILE = known('Test file', 'high-risk');
const KNOWN_GOOD = known('Known good', 'good');
const RESERVED = known('Reserved address', 'neutral', 'reserved');
const UNKNOWN = known('Unknown', 'unknown');
const NOT_SEEN = known('Not seen', 'unknown');
const NOT_CHECKED = known('Not checked', 'unknown');

/** Worst first. A value unknown to this version ranks between GRAVE and LESSER, so that it hides no grave one. */
const GRAVE: ReadonlyMap<string, Verdict> = new Map([
  ['critical', known('Critical risk', 'critical-risk')],
  ['high', known('High risk', 'high-risk')],
]);
const LESSER: ReadonlyMap<string, Verdict> = new Map([
  ['medium', known('Suspicious', 'suspicious')],
  ['low', LOW_SUSPICION],
]);
/** Values of level and verdict that accuse of nothing. */
const QUIET: ReadonlySet<string> = new Set(['safe', 'unknown', 'inconclusive']);

const byWord = (...verdicts: readonly Verdict[]): ReadonlyMap<string, Verdict> =>
  new Map(verdicts.map((verdict) => [verdict.word, verdict]));
/** The words of the level `low`; without one, the word that claims no report. */
const LOW = byWord(known('Reported', 'reported'), known('Reported long ago', 'reported'), LOW_SUSPICION);
/** Words of files that follow neither `malicious` nor the level. */
const EXCEPTIONS = byWord(
  TEST_FILE,
  known('Vulnerable driver', 'suspicious'),
  known('Empty file', 'neutral'),
);
/** The words that the service uses for the level `safe`. */
const SAFE = byWord(
  KNOWN_GOOD,
  RESERVED,
  known('Reserved name', 'neutral', 'reserved'),
  known('Popular site', 'good'),
);
const OPEN = byWord(
  NOT_SEEN,
  known('Not listed', 'unknown'),
  known('Old report', 'neutral'),
  known('Weak report', 'neutral'),
  known('Tracking only', 'neutral', 'tracking'),
  known('Platform: judge the name below it', 'unknown', 'platform'),
);

/**
 * The verdict of one check, in the words of the service: Malicious if and only if `malicious` is true, else by the level.
 * Takes the answer of `check` or the phases of a stream; without evidence the verdict is Unknown.
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

/** At `basic` a row has no evidence; the service answers `allow` only for what a source vouches for. */
function impliedEvidence({ riskLevel, recommendedAction }: BulkRow): EvidenceFacts | null {
  return riskLevel === 'safe' && (recommendedAction === 'allow' || recommendedAction === 'not-applicable')
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
  return exceptionOf(facts) ?? accusationOf(facts) ?? openOf(facts) ?? safeOf(facts);
}

/** At `basic` an answer has no word: a source's category tells a test file. */
function exceptionOf({ malicious, riskScore, sources }: Facts): Verdict | null {
  const isTold = isGiven(riskScore?.word) || isGiven(riskScore?.level);
  if (!isTold && malicious === true && sources?.some(({ category }) => category === 'test')) return TEST_FILE;
  return EXCEPTIONS.get(riskScore?.word ?? '') ?? null;
}

function accusationOf({ malicious, evidence, riskScore }: Facts): Verdict | null {
  // Members, counts and related values have a word and no field.
  if (malicious ?? riskScore?.word === MALICIOUS.word) return MALICIOUS;
  const words = [evidence?.verdict, riskScore?.level].filter(isGiven);
  const grave = [...GRAVE.keys()].find((word) => words.includes(word));
  if (grave !== undefined) return GRAVE.get(grave) ?? null;
  const unseen = words.find((word) => !LESSER.has(word) && !QUIET.has(word));
  if (unseen !== undefined) return asItCame(unseen);
  for (const [word, verdict] of LESSER)
    if (words.includes(word)) return word === 'low' ? (LOW.get(riskScore?.word ?? '') ?? verdict) : verdict;
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
