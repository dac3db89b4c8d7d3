import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE } from '../../server/src/capabilities/catalogue/index.ts';
import {
  type CorpusReplica,
  type Listing,
  openCorpus,
  type Source,
} from '../../server/src/capabilities/corpus/index.ts';
import { EMPTY_BOOK } from '../../server/src/capabilities/enrichment/index.ts';
import type { Moment } from '../../server/src/capabilities/judging/assess.ts';
import { NO_SIGNAL_BOOK, type SignalBook } from '../../server/src/capabilities/signals/index.ts';
import { type Indicator, type Listable, parseIndicator } from '../../server/src/domain/indicator/index.ts';
import { NO_SIGNALS, type SignalFacts } from '../../server/src/domain/scoring/index.ts';
import { catalogueSources } from './catalogue-sources.ts';
import type { Expected } from './expected-table.ts';
import { type Judge, openJudge } from './judge-corpus.ts';
import { type MemoryListing, MemoryReplica } from './memory-replica.ts';

export const CUT_FILE = join(import.meta.dirname, 'expected/cut.json');

/** One listing that a lookup of the expected table finds. `of`: the digest of the table whose alias is listed. */
type CutListing = {
  readonly listed: string;
  readonly as?: 'page' | 'child' | 'site' | 'alias';
  readonly of?: string;
  readonly source: string;
  readonly first: number;
  readonly last: number;
  readonly confidence?: number;
  readonly dating: Listing['dating'];
  readonly isDelisted?: true;
};
type CutSource = {
  readonly id: string;
  readonly dataAtS: number;
  readonly lastFetchAtS: number;
  readonly cluster: string | null;
  readonly echoes: Source['echoes'];
  readonly entries: number;
};
export type Cut = {
  readonly sources: readonly CutSource[];
  readonly listings: readonly CutListing[];
  /** Signals of the table's indicators by value, from the whole corpus, because a cut is too small to train them. */
  readonly signals: Readonly<Record<string, SignalFacts>>;
};

/** Lists whose terms an operator must accept first (non-commercial use) are not copied, not even in part. */
const LEFT_OUT: ReadonlySet<string> = new Set(
  CATALOGUE.filter(({ licence }) => licence.optIn === true).map(({ id }) => id),
);

/** The part of a corpus that the expected table needs: every listing that a lookup of its values finds. */
export function cutCorpus(
  replica: CorpusReplica,
  rows: readonly Expected[],
  given: Partial<Moment> = {},
): Cut {
  const corpus = openCorpus(replica);
  const found = new Map<string, CutListing>();
  let registry = corpus.lookup(indicatorOf(rows[0]?.value ?? '')).registry;
  for (const { value } of rows) {
    const answer = corpus.lookup(indicatorOf(value));
    registry = answer.registry;
    for (const listing of answer.listings) {
      if (LEFT_OUT.has(listing.source.id)) continue;
      const fact = factOf(listing, value);
      found.set(JSON.stringify(fact), fact);
    }
  }
  return {
    sources: registry.sources.map(({ id, dataAtS, lastFetchAtS, cluster, echoes, entries }) => ({
      id,
      dataAtS: Math.round(dataAtS),
      lastFetchAtS: Math.round(lastFetchAtS),
      cluster,
      echoes,
      entries,
    })),
    listings: [...found.values()],
    signals: signalsOf(openJudge(replica, 0, given), rows, given),
  };
}

function signalsOf(
  judge: Judge,
  rows: readonly Expected[],
  { signals, book = EMPTY_BOOK }: Partial<Moment>,
): Cut['signals'] {
  const facts = rows.map(({ value }) => {
    const { subject, context } = judge.sample(indicatorOf(value)).assessment;
    return [value, signals?.signalsOf(subject, context, book) ?? null] as const;
  });
  return Object.fromEntries(facts.filter((each): each is [string, SignalFacts] => each[1] !== null));
}

/** A signal book that repeats the signals stored in the cut, because a cut cannot train its own. */
export function signalsOfCut({ signals }: Cut): SignalBook {
  const signalsOf: SignalBook['signalsOf'] = (subject, context, networks) => {
    // What needs no training is not repeated: it follows the rules as they are.
    const untrained = NO_SIGNAL_BOOK.signalsOf(subject, context, networks);
    const stored = signals[subject.value];
    return stored === undefined ? untrained : { ...NO_SIGNALS, ...untrained, ...stored };
  };
  return { version: '00000001', signalsOf, ofModelTwo: signalsOf };
}

function factOf(listing: Listing, asked: string): CutListing {
  const { source, matchType, matched, firstSeenS, lastSeenS, confidence, dating, rank, isDelisted } = listing;
  const isNear = matchType === 'page' || matchType === 'child' || matchType === 'site';
  return {
    listed: matchType === 'site' ? asked : matched,
    ...(isNear || matchType === 'alias' ? { as: matchType } : {}),
    ...(matchType === 'alias' ? { of: asked } : {}),
    source: source.id,
    first: firstSeenS,
    last: rank ?? (lastSeenS === source.dataAtS ? 0 : lastSeenS),
    ...(confidence < 0 ? {} : { confidence }),
    dating,
    ...(isDelisted === true ? { isDelisted } : {}),
  };
}

export function writeCut({ sources, listings, signals }: Cut): void {
  const lines = (rows: readonly unknown[]): string => rows.map((row) => JSON.stringify(row)).join(',\n');
  writeFileSync(
    CUT_FILE,
    `{"sources":[\n${lines(sources)}\n],"listings":[\n${lines(listings)}\n],"signals":${JSON.stringify(signals, null, 1)}}\n`,
  );
}

export const readCut = (): Cut => JSON.parse(readFileSync(CUT_FILE, 'utf8')) as Cut;

/** The cut as a replica that the real lookup reads, with the sources as the catalogue describes them today. */
export function replicaOfCut({ sources, listings }: Omit<Cut, 'signals'>): CorpusReplica {
  const registry = catalogueSources(new Map(sources.map(({ id, ...state }) => [id, state])));
  const numbers = new Map(registry.map(({ id, number }) => [id, number]));
  const replica = new MemoryReplica(registry);
  const seen = new Set<string>();
  for (const {
    listed,
    as,
    of,
    source,
    first,
    last,
    confidence = -1,
    dating,
    isDelisted = false,
  } of listings) {
    const sourceNumber = numbers.get(source);
    if (sourceNumber === undefined) throw new Error(`The cut has no source ${source}.`);
    const listing = { sourceNumber, firstSeenS: first, lastSeenS: last, confidence, dating, isDelisted };
    if (as === 'alias' && of !== undefined && !seen.has(`${of} ${listed}`)) {
      seen.add(`${of} ${listed}`);
      replica.addAlias(indicatorOf(of), indicatorOf(listed));
    }
    addListing(replica, indicatorOf(listed), as, listing, seen);
  }
  return replica;
}

function addListing(
  replica: MemoryReplica,
  listed: Listable,
  as: CutListing['as'],
  listing: MemoryListing,
  seen: Set<string>,
): void {
  // A digest may occur twice: by its own lookup, and as another digest of the same file.
  const fact = JSON.stringify([listed.value, as === 'alias' ? null : as, listing]);
  if (seen.has(fact)) return;
  seen.add(fact);
  if (as === 'page' || as === 'child') replica.addRelated(listed, as, listing);
  else if (as === 'site') replica.addSite(listed, listing);
  else replica.add(listed, listing);
}

function indicatorOf(value: string): Indicator {
  const parsed = parseIndicator(value);
  if (!parsed.ok) throw new Error(`${value} is no indicator: ${parsed.reason}.`);
  return parsed.indicator;
}
