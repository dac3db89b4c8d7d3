import {
  type Corpus,
  type CorpusAnswer,
  contextOf,
  type IndicatorContext,
  type Listing,
  type Registry,
} from '#capabilities/corpus/index.ts';
import type { NetworkBook } from '#capabilities/enrichment/index.ts';
import type { OwnWord } from '#capabilities/org-indicators/index.ts';
import { NO_SIGNAL_BOOK, type SignalBook } from '#capabilities/signals/index.ts';
import { type Carrier, carriedIpv4, hostOf, type Indicator, type Ip } from '#domain/indicator/index.ts';
import { findImitated, type Imitation } from '#domain/lookalike/index.ts';
import {
  type AsnListing,
  type CorpusFacts,
  hourOf,
  listingsAt,
  MODEL_VERSION,
  MODEL_VERSION_BEFORE,
  type Subject,
  type Verdict,
} from '#domain/scoring/index.ts';
import { SHIPPED_BOOK, type WeightBook } from '#domain/weights/index.ts';
import { closestListings } from './closest-listings.ts';
import { isAllowed, ownListing } from './own-listing.ts';
import { type ScannerWord, scannerListing, threatBits } from './scanner-word.ts';
import type { JudgeInput, VerdictMemo } from './verdict-memo.ts';

export type Assessment = {
  /** The judged indicator; for a URL that names only a host, the host (trap 14). */
  readonly subject: Indicator;
  /** The closest listing of each source, by source number. */
  readonly listings: readonly Listing[];
  readonly context: IndicatorContext;
  /** The often imitated name that a domain resembles (O54). */
  readonly lookalike: Imitation | null;
  readonly verdict: Verdict;
  readonly corpus: CorpusFacts;
  readonly registry: Registry;
  readonly book: NetworkBook;
  readonly snapshotId: string;
  readonly nowMs: number;
  /** What the caller's organization reports about it; null without an organization or without any report. */
  readonly own: OwnWord | null;
};

export type Moment = {
  readonly nowMs: number;
  readonly answer: CorpusAnswer;
  readonly book: NetworkBook;
  /** The source of ASN-DROP type that lists this network, if any. */
  readonly asnListing: (asn: number) => AsnListing | null;
  /** The answer of a live scanner; null or absent when none was queried or none answered. */
  readonly scanner?: ScannerWord | null;
  /** The indicator was unwrapped from an address of this translation or tunnel. */
  readonly carrier?: Carrier | null;
  /** Absent: no signals. */
  readonly signals?: SignalBook;
  /** What the lists of names are worth. Absent: the table that comes with the release; null: model 2 was in force. */
  readonly weights?: WeightBook | null;
  /** What the organization of the caller says of it. */
  readonly own?: OwnWord | null;
};

/** The indicator to look up and to judge: for an address of NAT64, 6to4 or Teredo, the IPv4 address inside. */
export function unwrapped(indicator: Indicator): {
  readonly inner: Indicator;
  readonly carrier: Carrier | null;
} {
  const subject = subjectOf(indicator);
  const carried = subject.kind === 'ip' ? carriedIpv4(subject) : null;
  return carried === null
    ? { inner: indicator, carrier: null }
    : { inner: carried.ip, carrier: carried.carrier };
}

/** The indicator that is judged, and everything that the judge reads about it. */
export function gatherCase(
  indicator: Indicator,
  moment: Moment,
): { readonly subject: Indicator; readonly input: JudgeInput } {
  const { nowMs, answer, book, scanner = null, own = null, signals: signalBook = NO_SIGNAL_BOOK } = moment;
  const subject = subjectOf(indicator);
  const closest = listingsAt(closestListings(answer.listings), hourOf(nowMs / 1_000));
  const ofLists = withOwn(closest, own, nowMs);
  const listings = withScanner(ofLists, scanner, subject);
  const context = contextOf(listings, subject);
  const input = {
    subject: scoreSubjectOf(indicator, subject, moment.carrier ?? null),
    listings,
    context,
    asn: listings.length === 0 ? null : asnOf(subject, moment),
    registry: answer.registry,
    nowMs,
    hasScanner: scanner !== null,
    lookalike: lookalikeOf(subject, context),
    signals: (moment.weights === null ? signalBook.ofModelTwo : signalBook.signalsOf)(subject, context, book),
    isAllowed: isAllowed(own),
    ...(moment.weights !== undefined && { weights: moment.weights }),
  };
  return { subject, input };
}

/** The same moment gives the same assessment, live or replayed. */
export function assess(memo: VerdictMemo, indicator: Indicator, moment: Moment): Assessment {
  const { nowMs, answer, book, scanner = null, own = null, signals: signalBook = NO_SIGNAL_BOOK } = moment;
  const { subject, input } = gatherCase(indicator, moment);
  const { listings, context, lookalike = null, registry } = input;
  const verdict = memo.judge(input);
  const corpus = memo.corpusFacts(registry, input.subject.kind, nowMs);
  const shared = snapshotIdOf(answer, book, signalBook, moment.weights);
  const state = own === null ? shared : `${shared}-o${own.revision}`;
  const snapshotId = scanner === null ? state : `${state}-s${threatBits(scanner.threats)}`;
  return { subject, listings, context, lookalike, verdict, corpus, registry, book, snapshotId, nowMs, own };
}

/** A name that is known itself, or lies below a known one, imitates no other: amazonaws.com is no amazon.com. */
function lookalikeOf(subject: Indicator, context: IndicatorContext): Imitation | null {
  const { guards, inheritedGuards, platform } = context;
  if (subject.kind !== 'domain' || guards.length > 0 || inheritedGuards.length > 0) return null;
  return findImitated(subject, platform);
}

function withOwn(listings: readonly Listing[], own: OwnWord | null, nowMs: number): readonly Listing[] {
  const listing = ownListing(own, nowMs);
  return listing === null ? listings : [...listings, listing];
}

/** The scanner comes last, because its number is higher than that of any list. */
function withScanner(
  listings: readonly Listing[],
  scanner: ScannerWord | null,
  subject: Indicator,
): readonly Listing[] {
  const listing = scanner === null ? null : scannerListing(scanner, subject);
  return listing === null ? listings : [...listings, listing];
}

/**
 * Corpus sequence, versions of context, signals and weights, and model version; then the revision of the caller's organization and
 * the answer of a scanner, if any (ruling 12).
 */
export const snapshotIdOf = (
  { seq, registry }: CorpusAnswer,
  { version }: NetworkBook,
  signals: Pick<SignalBook, 'version'> = NO_SIGNAL_BOOK,
  weights: WeightBook | null = SHIPPED_BOOK,
): string =>
  weights === null
    ? `${seq}-${registry.version}${version}${signals.version}-${MODEL_VERSION_BEFORE}`
    : `${seq}-${registry.version}${version}${signals.version}${weights.digest}-${MODEL_VERSION}`;

/** A URL that names only a host is judged as that host; exact listings of the URL still count (trap 14). */
function subjectOf(indicator: Indicator): Indicator {
  return indicator.kind === 'url' && /^https?:\/\/[^/?]+\/$/.test(indicator.value)
    ? indicator.host
    : indicator;
}

function scoreSubjectOf(asked: Indicator, judged: Indicator, carrier: Carrier | null): Subject {
  const host = hostOf(judged);
  const kind = judged.kind === 'cidr' ? 'ip' : judged.kind;
  const { value } = judged;
  const posed = asked.kind === 'url' && asked.posedHost !== undefined ? { posedHost: asked.posedHost } : null;
  if (host?.kind !== 'ip') return { kind, value, ...posed };
  return { kind, value, ipVersion: host.version, ...posed, ...(carrier !== null && { carrier }) };
}

function asnOf(subject: Indicator, { book, asnListing }: Moment): AsnListing | null {
  const ip: Ip | null = subject.kind === 'ip' ? subject : null;
  const network = ip === null ? null : book.networkOf(ip);
  return network === null ? null : asnListing(network.asn);
}

/** Only lists of criminal networks count, never those of hosting companies (ruling 10). */
export function asnListings(corpus: Corpus): (asn: number) => AsnListing | null {
  const known = new Map<number, AsnListing | null>();
  let seq = -1;
  return (asn) => {
    if (corpus.seq() !== seq) {
      seq = corpus.seq();
      known.clear();
    }
    const before = known.get(asn);
    if (before !== undefined) return before;
    const { listings } = corpus.lookup({ kind: 'asn', value: `AS${asn}`, number: asn });
    const found = listedAsn(asn, listings);
    known.set(asn, found);
    return found;
  };
}

export function listedAsn(asn: number, listings: readonly Listing[]): AsnListing | null {
  const drop = listings.find(
    ({ source, isDelisted }) => source.threatClass === 'threat' && isDelisted !== true,
  );
  return drop === undefined ? null : { asn, sourceId: drop.source.id, sourceName: drop.source.name };
}
