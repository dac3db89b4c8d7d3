import type { Listing, Source } from '#capabilities/corpus/index.ts';
import type { Outcome, ScannerVerdict } from '#capabilities/providers/index.ts';
import { hostOf, type Indicator } from '#domain/indicator/index.ts';

/** What a scanner of the safe-browsing type answered. No threat is its silence, and still an answer (G55). */
export type ScannerWord = {
  readonly threats: ScannerVerdict['threats'];
  readonly matched: string | null;
  readonly atS: number;
};

/** Null: no scanner answered. What it said before its time ran out is no answer either: such lists change by the hour. */
export function scannerWordOf(outcome: Outcome<ScannerVerdict>): ScannerWord | null {
  if (outcome.state === 'missing' || (outcome.state === 'found' && outcome.isStale)) return null;
  const atS = Math.floor(outcome.fetchedAtMs / 1_000);
  if (outcome.state === 'absent') return { threats: [], matched: null, atS };
  return { threats: outcome.value.threats, matched: outcome.value.matched, atS };
}

/** In the order of what is worst, which names the category; the place of each is its bit. */
const THREATS = ['malware', 'phishing', 'unwanted', 'abuse'] as const;
/** Category words of the score (scoring ruling 2): unwanted software is an abuse of its user. */
const CATEGORY: Readonly<Record<(typeof THREATS)[number], string>> = {
  malware: 'malware',
  phishing: 'phishing',
  unwanted: 'abuse',
  abuse: 'abuse',
};

export const threatBits = (threats: ScannerWord['threats']): number =>
  THREATS.reduce((bits, threat, place) => bits | (threats.includes(threat) ? 1 << place : 0), 0);

export const SCANNER_ID = 'live-scanner';
/** Registry numbers are small and grow by one: a scanner's stands behind all of them. */
const NUMBER_BASE = 2_000_000_000;
const HOUR_S = 3_600;

/**
 * The scanner as a source: grade A, precise, of scanner signal, so that its word sets `malicious` (G13) and weighs as
 * one opinion. One object per word and hour, because answers are remembered by source and hour (ruling 11).
 */
function sourceOf(threats: ScannerWord['threats'], hourS: number): Source {
  const bits = threatBits(threats);
  const name = `${bits} ${hourS}`;
  const known = sources.get(name);
  if (known !== undefined) return known;
  const categories = [
    ...new Set(THREATS.filter((threat) => threats.includes(threat)).map((t) => CATEGORY[t])),
  ];
  const made: Source = Object.freeze({
    ...SCANNER,
    number: NUMBER_BASE + bits,
    category: categories[0] ?? 'abuse',
    categories,
    dataAtS: hourS,
    lastFetchAtS: hourS,
  });
  if (sources.size >= SOURCES_MAX) sources.clear();
  sources.set(name, made);
  return made;
}
const sources = new Map<string, Source>();
/** Sixteen words in a few hours. */
const SOURCES_MAX = 256;

/** Before it has said anything: as one that was asked and is silent. */
export const SCANNER: Source = {
  number: NUMBER_BASE,
  id: SCANNER_ID,
  name: 'Live scanner',
  type: 'url',
  category: 'abuse',
  categories: [],
  threatClass: 'threat',
  fpRisk: 'low',
  signal: 'scanner',
  adOnly: false,
  semantics: 'state',
  cidrSemantics: 'observed',
  attributes: [],
  reliability: 0.95,
  lineage: null,
  aggregate: false,
  intervalS: HOUR_S,
  provider: null,
  url: null,
  licence: null,
  licenceMode: 'api-key',
  redistributable: false,
  attribution: null,
  letter: 'A',
  tags: [],
  entityTypes: ['url', 'domain', 'ip'],
  format: 'json',
  retentionDays: 1,
  guard: null,
  rankMax: null,
  scheduled: false,
  cluster: null,
  enabled: true,
  version: 0,
  dataAtS: 0,
  lastFetchAtS: 0,
  entries: 0,
};

/** The scanner's accusation of the subject, as a listing; null when it is silent. */
export function scannerListing(word: ScannerWord, subject: Indicator): Listing | null {
  if (word.threats.length === 0) return null;
  const hourS = word.atS - (word.atS % HOUR_S);
  return {
    source: sourceOf(word.threats, hourS),
    ...matchOf(word.matched, subject),
    firstSeenS: 0,
    lastSeenS: word.atS,
    confidence: -1,
  };
}

/** `matched` is host or host and path: of the page itself, of its host, or of a name above it. */
function matchOf(matched: string | null, subject: Indicator): Pick<Listing, 'matchType' | 'matched'> {
  const host = hostOf(subject)?.value;
  if (matched === null || host === undefined) return { matchType: 'exact', matched: subject.value };
  const slash = matched.indexOf('/');
  const matchedHost = slash === -1 ? matched : matched.slice(0, slash);
  if (matchedHost !== host && host.endsWith(`.${matchedHost}`))
    return { matchType: 'parent', matched: matchedHost };
  const isWholeHost = slash === -1 || slash === matched.length - 1;
  return { matchType: 'exact', matched: isWholeHost ? host : subject.value };
}
