import type { Listing, Source } from '#capabilities/corpus/index.ts';
import type { Outcome, ScannerVerdict } from '#capabilities/providers/index.ts';
import { hostOf, type Indicator } from '#domain/indicator/index.ts';
import { HOUR_S } from '#platform/time-units.ts';

/** The answer of a scanner of the safe-browsing type. No threats is also an answer (G55). */
export type ScannerWord = {
  readonly threats: ScannerVerdict['threats'];
  readonly matched: string | null;
  readonly atS: number;
};

/** Null when no scanner answered. An expired answer counts as none, because such lists change by the hour. */
export function scannerWordOf(outcome: Outcome<ScannerVerdict>): ScannerWord | null {
  if (outcome.state === 'missing' || (outcome.state === 'found' && outcome.isStale)) return null;
  const atS = Math.floor(outcome.fetchedAtMs / 1_000);
  if (outcome.state === 'absent') return { threats: [], matched: null, atS };
  return { threats: outcome.value.threats, matched: outcome.value.matched, atS };
}

/** Worst first, which decides the category; the bit of a threat is its index. */
const THREATS = ['malware', 'phishing', 'unwanted', 'abuse'] as const;
/** Category words of the score (scoring ruling 2); unwanted software counts as abuse. */
const CATEGORY: Readonly<Record<(typeof THREATS)[number], string>> = {
  malware: 'malware',
  phishing: 'phishing',
  unwanted: 'abuse',
  abuse: 'abuse',
};

export const threatBits = (threats: ScannerWord['threats']): number =>
  THREATS.reduce((bits, threat, place) => bits | (threats.includes(threat) ? 1 << place : 0), 0);

export const SCANNER_ID = 'live-scanner';
/** Source numbers of scanners start here, above those of the registry, which start at 1 and grow by one. */
const NUMBER_BASE = 2_000_000_000;

/**
 * The scanner as a source: grade A, precise, of scanner signal, so that its answer sets `malicious` (G13) and weighs as
 * one source. One object per answer and hour, because verdicts are cached by source and hour (ruling 11).
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
/** Cached sources: sixteen combinations of threats, each for a few hours. */
const SOURCES_MAX = 256;

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
  scannerKinds: ['url', 'domain', 'ip'],
  adOnly: false,
  semantics: 'state',
  keepsEntries: false,
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
  echoes: {},
  enabled: true,
  version: 0,
  dataAtS: 0,
  lastFetchAtS: 0,
  entries: 0,
};

/** The accusation of the subject as a listing; null without a finding. */
export function scannerListing(word: ScannerWord, subject: Indicator): Listing | null {
  if (word.threats.length === 0) return null;
  const hourS = word.atS - (word.atS % HOUR_S);
  return {
    source: sourceOf(word.threats, hourS),
    ...matchOf(word.matched, subject),
    firstSeenS: 0,
    lastSeenS: word.atS,
    confidence: -1,
    dating: 'own',
    hasOwnLastSeen: true,
  };
}

/** `matched` is what the scanner names, a host or a host and path: the page itself, its host or a parent domain. */
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
