import type { CheckResult } from './generated/schemas.ts';

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
};
export type EvidenceFacts = { readonly verdict: string; readonly recommendedAction?: string | undefined };
type Judged = Pick<Facts, 'riskScore' | 'evidence'>;

export type StreamState = {
  readonly reputation?: (Omit<Facts, 'riskScore' | 'evidence'> & { readonly verdict?: Judged }) | undefined;
  readonly insights?: Judged | undefined;
};

/** The id is the word in lower case with hyphens, of some long words the first part; without a tone it is the tone too. */
const rows = (words: string, tone?: VerdictTone): readonly Verdict[] =>
  words.split('|').map((word) => {
    const whole = word.toLowerCase().replaceAll(' ', '-');
    const id = whole.replace(/^(reserved|tracking|platform).*/, '$1');
    return { id, word, tone: tone ?? (id as VerdictTone) };
  });

/** The words by level. The first of a level stands where the service sent none; at level low it claims no report. */
const CRITICAL = rows('Critical risk');
const HIGH = rows('High risk');
const MEDIUM = rows('Suspicious');
const LOW = rows('Low suspicion|Reported|Reported long ago', 'reported');
const SAFE = [
  ...rows('Known good|Popular site', 'good'),
  ...rows('Reserved address|Reserved name', 'neutral'),
];
const OPEN = [
  ...rows('Unknown|Not listed|Not seen|Platform: judge the name below it', 'unknown'),
  ...rows('Old report|Weak report|Tracking only', 'neutral'),
];
const MALICIOUS = rows('Malicious');
/** Words of files that follow neither `malicious` nor the level. */
const EXCEPTIONS = [
  ...rows('Test file', 'high-risk'),
  ...rows('Vulnerable driver', 'suspicious'),
  ...rows('Empty file', 'neutral'),
];
const KNOWN = [CRITICAL, HIGH, MEDIUM, LOW, SAFE, OPEN, MALICIOUS, EXCEPTIONS].flat();

/** The levels and verdicts that are known and not grave. */
const MILD = ['medium', 'low', 'safe', 'unknown', 'inconclusive'];

const find = (of: readonly Verdict[], word: string | undefined): Verdict | undefined =>
  of.find((verdict) => verdict.word === word);
const pick = (of: readonly Verdict[], word?: string): Verdict => find(of, word) ?? (of[0] as Verdict);

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

/** A check has `malicious` at the top level; a stream has it in its first phase. */
function factsOf(of: CheckResult | StreamState): Facts {
  if ('malicious' in of) return of;
  const { reputation = {}, insights } = of as StreamState;
  return { ...reputation, ...reputation.verdict, ...insights };
}

/** The word for the fields of any answer. */
export function wordFor(facts: Facts): Verdict {
  return find(EXCEPTIONS, facts.riskScore?.word) ?? accusationOf(facts) ?? openOf(facts) ?? safeOf(facts);
}

function accusationOf({ malicious, evidence, riskScore }: Facts): Verdict | null {
  const word = riskScore?.word;
  // Members, counts and related values have a word and no field.
  if (malicious ?? word === 'Malicious') return pick(MALICIOUS);
  const levels = [evidence?.verdict, riskScore?.level].filter(isGiven);
  if (levels.includes('critical')) return pick(CRITICAL);
  if (levels.includes('high')) return pick(HIGH);
  // A level unknown to this version may mean anything, but must not hide a grave one.
  const unseen = levels.find((level) => !MILD.includes(level));
  if (unseen !== undefined) return asItCame(unseen);
  if (levels.includes('medium')) return pick(MEDIUM);
  return levels.includes('low') ? pick(LOW, word) : null;
}

/** Unknown is never good, and missing evidence is unknown too. */
function openOf(facts: Facts): Verdict | null {
  const { evidence, riskScore, lookupStatus, infrastructure } = facts;
  if (lookupStatus === 'unknown') return pick(OPEN, 'Not seen');
  const isOpen =
    evidence?.verdict === 'unknown' ||
    evidence?.recommendedAction === 'unverified' ||
    riskScore?.level === 'inconclusive';
  if (isOpen) return toldOf(OPEN, riskScore?.word);
  if (isGiven(lookupStatus) && lookupStatus !== 'known') return asItCame(lookupStatus);
  return evidence?.verdict === 'safe' || isReserved(infrastructure) ? null : pick(OPEN);
}

/** The service says `safe` only where a list vouches for the value itself, or a standard reserves it. */
const safeOf = ({ riskScore, infrastructure }: Facts): Verdict =>
  isReserved(infrastructure) ? pick(SAFE, 'Reserved address') : toldOf(SAFE, riskScore?.word);

/** A word of a newer service keeps the tone of its level; a known word of another level does not count. */
const toldOf = (of: readonly Verdict[], word: string | undefined): Verdict =>
  isGiven(word) && find(KNOWN, word) === undefined ? { ...pick(of), word } : pick(of, word);

const isReserved = (infrastructure: Facts['infrastructure']): boolean =>
  infrastructure?.attributes.includes('bogon') === true;

const isGiven = (text: string | undefined): text is string => typeof text === 'string' && text !== '';

const asItCame = (raw: string): Verdict => ({ id: raw, word: raw, tone: 'neutral' });
