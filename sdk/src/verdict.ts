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

/** The id is the word in lower case with hyphens, of some long words the first part. */
function known(tone: VerdictTone, ...words: readonly string[]): readonly (readonly [string, Verdict])[] {
  return words.map((word) => {
    const id = word.toLowerCase().replaceAll(' ', '-');
    return [word, { id: /^(?:reserved|tracking|platform)/.exec(id)?.[0] ?? id, word, tone }];
  });
}

const WORDS: ReadonlyMap<string, Verdict> = new Map([
  ...known('malicious', 'Malicious'),
  ...known('critical-risk', 'Critical risk'),
  ...known('high-risk', 'High risk', 'Test file'),
  ...known('suspicious', 'Suspicious', 'Vulnerable driver'),
  ...known('reported', 'Reported', 'Reported long ago', 'Low suspicion'),
  ...known('good', 'Known good', 'Popular site'),
  ...known(
    'neutral',
    'Reserved address',
    'Reserved name',
    'Old report',
    'Weak report',
    'Tracking only',
    'Empty file',
  ),
  ...known(
    'unknown',
    'Platform: judge the name below it',
    'Not listed',
    'Not seen',
    'Not checked',
    'Unknown',
  ),
]);
const said = (word: string): Verdict => WORDS.get(word) as Verdict;

/** The words of each level, the first without a word of the service; at level low it claims no report. */
const OF_LEVEL = new Map([
  ['critical', ['Critical risk']],
  ['high', ['High risk']],
  ['medium', ['Suspicious']],
  ['low', ['Low suspicion', 'Reported', 'Reported long ago']],
]);
const GRAVE = ['critical', 'high'];
/** Values of level and verdict that accuse of nothing. */
const QUIET: ReadonlySet<string> = new Set(['safe', 'unknown', 'inconclusive']);
/** Words of files that follow neither `malicious` nor the level. */
const EXCEPTIONS: ReadonlySet<string> = new Set(['Test file', 'Vulnerable driver', 'Empty file']);

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
  if (row.error !== null && row.error !== undefined) return said('Not checked');
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
  const { word = '' } = riskScore ?? {};
  if (EXCEPTIONS.has(word)) return said(word);
  const isTest = !riskScore && malicious === true && sources?.some(({ category }) => category === 'test');
  return isTest === true ? said('Test file') : null;
}

function accusationOf({ malicious, evidence, riskScore }: Facts): Verdict | null {
  const { word = '' } = riskScore ?? {};
  // Members, counts and related values have a word and no field.
  if (malicious ?? word === 'Malicious') return said('Malicious');
  const levels = [evidence?.verdict, riskScore?.level].filter(isGiven);
  const grave = GRAVE.find((level) => levels.includes(level));
  // A value unknown to this version ranks below the grave ones, so that it hides none, and above the others.
  const unseen = levels.find((level) => !OF_LEVEL.has(level) && !QUIET.has(level));
  if (grave === undefined && unseen !== undefined) return asItCame(unseen);
  const words = OF_LEVEL.get(grave ?? ['medium', 'low'].find((level) => levels.includes(level)) ?? '');
  return words === undefined ? null : said(words.find((each) => each === word) ?? (words[0] as string));
}

/** Unknown is never good, and missing evidence is unknown too. */
function openOf(facts: Facts): Verdict | null {
  const { evidence, riskScore, lookupStatus, infrastructure } = facts;
  if (lookupStatus === 'unknown') return said('Not seen');
  const isOpen =
    evidence?.verdict === 'unknown' ||
    evidence?.recommendedAction === 'unverified' ||
    riskScore?.level === 'inconclusive';
  if (isOpen) return toldOf(false, riskScore?.word, 'Unknown');
  if (isGiven(lookupStatus) && lookupStatus !== 'known') return asItCame(lookupStatus);
  return evidence?.verdict === 'safe' || isReserved(infrastructure) ? null : said('Unknown');
}

/** The service says `safe` only where a list vouches for the value itself, or a standard reserves it. */
const safeOf = ({ riskScore, infrastructure }: Facts): Verdict =>
  isReserved(infrastructure) ? said('Reserved address') : toldOf(true, riskScore?.word, 'Known good');

/** A word of a newer service keeps the tone of its level; a word of another level does not count. */
function toldOf(isSafe: boolean, word: string | undefined, other: string): Verdict {
  const verdict = WORDS.get(word ?? '');
  if (verdict === undefined) return { ...said(other), ...(isGiven(word) && { word }) };
  const { id, tone } = verdict;
  const isOfSafe = tone === 'good' || id === 'reserved';
  const isOfOpen = !isOfSafe && (tone === 'neutral' || tone === 'unknown');
  return (isSafe ? isOfSafe : isOfOpen) ? verdict : said(other);
}

const isReserved = (infrastructure: Facts['infrastructure']): boolean =>
  infrastructure?.attributes.includes('bogon') === true;

const isGiven = (text: string | undefined): text is string => typeof text === 'string' && text !== '';

const asItCame = (raw: string): Verdict => ({ id: raw, word: raw, tone: 'neutral' });
