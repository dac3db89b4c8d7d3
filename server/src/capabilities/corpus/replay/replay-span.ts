import type { Asn, Indicator } from '#domain/indicator/index.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { Source } from '../contract.ts';
import { FADE_DAYS_MAX } from '../fade.ts';
import { type Corpus, openCorpus } from '../lookup.ts';
import { listSources } from '../store.ts';
import { askedKeys } from './asked-keys.ts';
import { foldRelated } from './past-entries.ts';
import { type PastRows, pastView } from './past-view.ts';
import type { ReplayDeps } from './replay.ts';
import {
  editionsAt,
  type FetchSample,
  fetchesAt,
  firstEditionMs,
  periodsBetweenSince,
  periodsSince,
  type RelatedPeriod,
  type Revision,
  relatedPeriodsSince,
  revisionsOf,
} from './span-store.ts';
import type { Period } from './store.ts';

/** The corpus over a span of time, read once; every moment in it is then computed in memory. */
export type PastSpan = {
  /** When the record begins; null when nothing was ever loaded. */
  readonly beganAtMs: number | null;
  /** The corpus at a moment; null: the record does not reach back that far. */
  readonly corpusAt: (atMs: number) => Corpus | null;
  /** Moments within the span at which a source began or ceased to list one of the queried indicators, oldest first. */
  readonly turns: readonly Turn[];
};
export type Turn = { readonly atMs: number; readonly sourceNumbers: ReadonlySet<number> };

/**
 * Like `replayCorpus` at each of the moments. Sources that list none of the indicators have their current settings and
 * are left out of the registry version: they only show whether there were sources to consult.
 */
export async function replaySpan(
  { postgres }: ReplayDeps,
  indicators: readonly (Indicator | Asn)[],
  momentsMs: readonly number[],
): Promise<PastSpan> {
  const fromMs = Math.min(...momentsMs);
  return postgres.transaction(async (db) => {
    const beganAtMs = await firstEditionMs(db);
    const rows = await readRows(db, indicators, fromMs - FADE_DAYS_MAX * DAY_MS);
    const numbers = new Set(
      [...rows.periods, ...rows.related, ...rows.neighbours].map((p) => p.sourceNumber),
    );
    const registry = createPastRegistry({
      today: await listSources(db),
      revisions: await revisionsOf(db, [...numbers], fromMs),
      fetches: await fetchesAt(db, momentsMs),
    });
    const editions = await editionsAt(db, momentsMs);
    const corpusAt = (atMs: number): Corpus | null => {
      if (beganAtMs === null || atMs < beganAtMs) return null;
      const sources = registry(atMs);
      const seq = newestAt(editions, atMs)?.seq ?? 0;
      // Only sources that list an indicator: decoding hundreds for each of ninety days would take most of the time.
      const involved = sources.filter(({ number }) => numbers.has(number));
      const view = pastView({
        ...rows,
        related: foldRelated(rows.related, atMs),
        seq,
        atMs,
        sources: involved,
      });
      const corpus = openCorpus({ view: () => view });
      const lookup: Corpus['lookup'] = (indicator) => {
        const answer = corpus.lookup(indicator);
        return { ...answer, registry: { version: answer.registry.version, sources } };
      };
      return { ...corpus, lookup };
    };
    return { beganAtMs, corpusAt, turns: turnsOf(rows.periods, fromMs) };
  });
}

type SpanRows = Omit<PastRows, 'related'> & { readonly related: readonly RelatedPeriod[] };

async function readRows(db: Db, indicators: readonly (Indicator | Asn)[], fromMs: number): Promise<SpanRows> {
  const asked = askedKeys(indicators);
  const periods = await periodsSince(db, asked.listings, fromMs);
  const related = asked.related.length === 0 ? [] : await relatedPeriodsSince(db, asked.related, fromMs);
  const neighbours: Period[] = [];
  for (const site of asked.sites) neighbours.push(...(await periodsBetweenSince(db, site, fromMs)));
  return { periods, related, neighbours, aliases: [] };
}

type RegistryRows = {
  readonly today: readonly Source[];
  readonly revisions: readonly Revision[];
  readonly fetches: readonly FetchSample[];
};

/** The registry at a moment: settings from its revisions, dates from the newest sample of the fetch log. */
function createPastRegistry({ today, revisions, fetches }: RegistryRows) {
  const words = groupBy(revisions, ({ source }) => source.number);
  const samples = groupBy(fetches, ({ sourceNumber }) => sourceNumber);
  for (const ofSource of samples.values()) ofSource.sort((a, b) => a.atMs - b.atMs);
  return (atMs: number): readonly Source[] =>
    today.flatMap((source) => {
      const known = words.get(source.number);
      const said = known === undefined ? source : newestBy(known, (r) => r.validFromMs, atMs)?.source;
      if (said === undefined) return [];
      const {
        dataAtS = 0,
        lastFetchAtS = 0,
        entries = 0,
      } = newestAt(samples.get(source.number) ?? [], atMs) ?? {};
      return [{ ...said, version: 0, dataAtS, lastFetchAtS, entries }];
    });
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

const newestAt = <T extends { readonly atMs: number }>(rows: readonly T[], atMs: number): T | undefined =>
  newestBy(rows, (row) => row.atMs, atMs);

/** The newest row at or before a moment; `rows` must be oldest first. */
function newestBy<T>(rows: readonly T[], timeOf: (row: T) => number, atMs: number): T | undefined {
  return rows.findLast((row) => timeOf(row) <= atMs);
}

/** When listings began and ended. A period right after another one is the same listing with other dates: no turn. */
function turnsOf(periods: readonly Period[], fromMs: number): readonly Turn[] {
  const turns = new Map<number, Set<number>>();
  const add = (atMs: number, { sourceNumber }: Period) => {
    if (atMs > fromMs) turns.set(atMs, (turns.get(atMs) ?? new Set<number>()).add(sourceNumber));
  };
  for (const [index, period] of periods.entries()) {
    if (!isContinued(periods[index - 1], period)) add(period.listedFromMs, period);
    if (period.listedToMs !== null && !isContinued(period, periods[index + 1]))
      add(period.listedToMs, period);
  }
  return [...turns].map(([atMs, sourceNumbers]) => ({ atMs, sourceNumbers })).sort((a, b) => a.atMs - b.atMs);
}

const isContinued = (period: Period | undefined, next: Period | undefined): boolean =>
  period !== undefined &&
  next !== undefined &&
  period.sourceNumber === next.sourceNumber &&
  period.key.equals(next.key) &&
  period.listedToMs === next.listedFromMs;
