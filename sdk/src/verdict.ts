import type { BulkRow, CheckResult } from './generated/schemas.ts';

/** `string`: a value that a newer service sends and this version does not know, as it came. */
export type VerdictId =
  | 'malicious'
  | 'high-risk'
  | 'suspicious'
  | 'low-risk'
  | 'no-threats-found'
  | 'known-good'
  | 'reserved'
  | 'not-checked'
  | 'unknown'
  | (string & Record<never, never>);

export type VerdictTone = 'malicious' | 'suspicious' | 'unknown' | 'good' | 'neutral';

export type Verdict = { readonly id: VerdictId; readonly word: string; readonly tone: VerdictTone };

/** What the word rests on, wherever it came from. Enums are strings here: a newer service may send others. */
type Facts = {
  readonly malicious?: boolean | undefined;
  readonly blocklistHits?: number | undefined;
  readonly riskScore?: { readonly level: string } | null | undefined;
  readonly evidence?: EvidenceFacts | null | undefined;
  readonly lookupStatus?: string | undefined;
  readonly knownGood?: boolean | undefined;
  readonly infrastructure?: { readonly attributes: readonly string[] } | undefined;
  readonly sources?: readonly { readonly threatClass: string }[] | undefined;
};
type EvidenceFacts = { readonly verdict: string; readonly recommendedAction?: string | undefined };
type Judged = Pick<Facts, 'riskScore' | 'evidence'>;

/** The data of the phases of a check stream that have come so far, by their type. */
export type StreamState = {
  readonly reputation?: (Omit<Facts, 'riskScore' | 'evidence'> & { readonly verdict?: Judged }) | undefined;
  readonly insights?: Judged | undefined;
};

const known = <T extends VerdictId>(id: T, word: string, tone: VerdictTone): Verdict => ({ id, word, tone });

const MALICIOUS = known('malicious', 'Malicious', 'malicious');
const KNOWN_GOOD = known('known-good', 'Known good', 'good');
/** Neutral: nobody accuses it, and nobody who vouches for it is to be seen. */
const NO_THREATS_FOUND = known('no-threats-found', 'No threats found', 'neutral');
const RESERVED = known('reserved', 'Reserved address', 'neutral');
const UNKNOWN = known('unknown', 'Unknown', 'unknown');
const NOT_SEEN = known('unknown', 'Not seen', 'unknown');
const NOT_CHECKED = known('not-checked', 'Not checked', 'unknown');

/** Worst first. A word this version does not know stands between: it could be anything but must not hide these two. */
const GRAVE: ReadonlyMap<string, Verdict> = new Map([
  ['critical', known('high-risk', 'High risk', 'suspicious')],
  ['high', known('high-risk', 'High risk', 'suspicious')],
]);
const LESSER: ReadonlyMap<string, Verdict> = new Map([
  ['medium', known('suspicious', 'Suspicious', 'suspicious')],
  ['low', known('low-risk', 'Low risk', 'suspicious')],
]);
/** Words of both enums that accuse of nothing. */
const QUIET: ReadonlySet<string> = new Set(['safe', 'unknown', 'inconclusive']);

/**
 * The word for one check, from its evidence. `malicious: false` decides nothing: feeds alone never set it, and nobody may
 * know the thing at all. Takes the answer of `check` or what has come of a stream; without evidence the word is Unknown.
 */
export function verdictOf(of: CheckResult | StreamState): Verdict {
  return wordFor(factsOf(of));
}

/** The same for a row of `bulk`. A row that could not be judged has its reason in `error`. */
export function verdictOfRow(row: BulkRow): Verdict {
  if (row.error !== null && row.error !== undefined) return NOT_CHECKED;
  return wordFor({
    malicious: row.isMalicious,
    blocklistHits: row.sources,
    riskScore: row.riskLevel === undefined ? null : { level: row.riskLevel },
    evidence: row.evidence ?? impliedEvidence(row),
    lookupStatus: row.lookupStatus,
    infrastructure: row.infrastructure,
  });
}

/** At `basic` a row has no evidence, but the service says `allow` only where somebody vouches or an RFC does. */
function impliedEvidence({ riskLevel, recommendedAction }: BulkRow): EvidenceFacts | null {
  return riskLevel === 'safe' && recommendedAction === 'allow'
    ? { verdict: 'safe', recommendedAction }
    : null;
}

/** A check has `malicious` beside its parts; a stream has it inside its first phase. */
function factsOf(of: CheckResult | StreamState): Facts {
  if ('malicious' in of) return of;
  const { reputation = {}, insights } = of as StreamState;
  return { ...reputation, ...reputation.verdict, ...insights };
}

function wordFor(facts: Facts): Verdict {
  if (facts.malicious === true) return MALICIOUS;
  return accusationOf(facts) ?? unknownOf(facts) ?? harmlessOf(facts);
}

/** What the evidence or the level holds against it, or the first of their values that this version does not know. */
function accusationOf({ evidence, riskScore }: Facts): Verdict | null {
  const words = [evidence?.verdict, riskScore?.level].filter(isGiven);
  const grave = words.find((word) => GRAVE.has(word));
  if (grave !== undefined) return GRAVE.get(grave) ?? null;
  const unseen = words.find((word) => !LESSER.has(word) && !QUIET.has(word));
  if (unseen !== undefined) return asItCame(unseen);
  for (const [word, verdict] of LESSER) if (words.includes(word)) return verdict;
  return null;
}

/** Unknown is never good: no evidence is unknown too. */
function unknownOf({ evidence, riskScore, lookupStatus, infrastructure }: Facts): Verdict | null {
  if (lookupStatus === 'unknown') return NOT_SEEN;
  if (evidence?.verdict === 'unknown' || evidence?.recommendedAction === 'unverified') return UNKNOWN;
  if (riskScore?.level === 'inconclusive') return UNKNOWN;
  if (isGiven(lookupStatus) && lookupStatus !== 'known') return asItCame(lookupStatus);
  return evidence?.verdict === 'safe' || isReserved(infrastructure) ? null : UNKNOWN;
}

function harmlessOf({ infrastructure, sources, knownGood, blocklistHits = 0 }: Facts): Verdict {
  // Private and reserved addresses have no public reputation: nothing was searched for, so nothing was found.
  if (isReserved(infrastructure)) return RESERVED;
  const isVouchedFor =
    knownGood === true ||
    infrastructure?.attributes.includes('allowlist') === true ||
    sources?.some(({ threatClass }) => threatClass === 'allowlist') === true;
  if (isVouchedFor) return KNOWN_GOOD;
  return blocklistHits > 0 ? UNKNOWN : NO_THREATS_FOUND;
}

const isReserved = (infrastructure: Facts['infrastructure']): boolean =>
  infrastructure?.attributes.includes('bogon') === true;

const isGiven = (text: string | undefined): text is string => typeof text === 'string' && text !== '';

const asItCame = (raw: string): Verdict => ({ id: raw, word: raw, tone: 'neutral' });
