import type { BulkRow, CheckResult } from './generated/schemas.ts';

/** A plain string is a value of a newer service that this version does not know. */
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

/** The fields that decide the word. Enums are plain strings, because a newer service may send other values. */
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

export type StreamState = {
  readonly reputation?: (Omit<Facts, 'riskScore' | 'evidence'> & { readonly verdict?: Judged }) | undefined;
  readonly insights?: Judged | undefined;
};

const known = <T extends VerdictId>(id: T, word: string, tone: VerdictTone): Verdict => ({ id, word, tone });

const MALICIOUS = known('malicious', 'Malicious', 'malicious');
const KNOWN_GOOD = known('known-good', 'Known good', 'good');
/** Neutral: no source accuses it, and no vouching source is in the answer. */
const NO_THREATS_FOUND = known('no-threats-found', 'No threats found', 'neutral');
const RESERVED = known('reserved', 'Reserved address', 'neutral');
const UNKNOWN = known('unknown', 'Unknown', 'unknown');
const NOT_SEEN = known('unknown', 'Not seen', 'unknown');
const NOT_CHECKED = known('not-checked', 'Not checked', 'unknown');

/**
 * Worst first. A value unknown to this version ranks between GRAVE and LESSER: it may mean anything, but must not hide
 * a grave one.
 */
const GRAVE: ReadonlyMap<string, Verdict> = new Map([
  ['critical', known('high-risk', 'High risk', 'suspicious')],
  ['high', known('high-risk', 'High risk', 'suspicious')],
]);
const LESSER: ReadonlyMap<string, Verdict> = new Map([
  ['medium', known('suspicious', 'Suspicious', 'suspicious')],
  ['low', known('low-risk', 'Low risk', 'suspicious')],
]);
/** Values of both enums that accuse of nothing. */
const QUIET: ReadonlySet<string> = new Set(['safe', 'unknown', 'inconclusive']);

/**
 * The verdict of one check, from its evidence. `malicious: false` decides nothing: feeds alone never set `malicious`,
 * so it is also false for an indicator that no source knows. Takes the answer of `check` or the phases of a stream;
 * without evidence the verdict is Unknown.
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
  if (facts.malicious === true) return MALICIOUS;
  return accusationOf(facts) ?? unknownOf(facts) ?? harmlessOf(facts);
}

function accusationOf({ evidence, riskScore }: Facts): Verdict | null {
  const words = [evidence?.verdict, riskScore?.level].filter(isGiven);
  const grave = words.find((word) => GRAVE.has(word));
  if (grave !== undefined) return GRAVE.get(grave) ?? null;
  const unseen = words.find((word) => !LESSER.has(word) && !QUIET.has(word));
  if (unseen !== undefined) return asItCame(unseen);
  for (const [word, verdict] of LESSER) if (words.includes(word)) return verdict;
  return null;
}

/** Unknown is never good, and missing evidence is unknown too. */
function unknownOf({ evidence, riskScore, lookupStatus, infrastructure }: Facts): Verdict | null {
  if (lookupStatus === 'unknown') return NOT_SEEN;
  if (evidence?.verdict === 'unknown' || evidence?.recommendedAction === 'unverified') return UNKNOWN;
  if (riskScore?.level === 'inconclusive') return UNKNOWN;
  if (isGiven(lookupStatus) && lookupStatus !== 'known') return asItCame(lookupStatus);
  return evidence?.verdict === 'safe' || isReserved(infrastructure) ? null : UNKNOWN;
}

function harmlessOf({ infrastructure, sources, knownGood, blocklistHits = 0 }: Facts): Verdict {
  // Private and reserved addresses have no public reputation, so no source was searched.
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
