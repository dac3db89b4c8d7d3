import { KIND, listSources, type Source } from '#capabilities/corpus/index.ts';
import { countByLevel, readStatus } from '#capabilities/standing/index.ts';
import { agesByEntry } from '#domain/scoring/index.ts';
import type { Db } from '#platform/postgres.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import { type AccusedExample, chooseAccused } from './choose-accused.ts';
import { type AddressBatch, type Countries, countCountries } from './count-countries.ts';
import { addStandings, countLevels, type LevelCounts } from './count-levels.ts';
import { isCounted } from './count-threats.ts';
import type { SliceCounts } from './present-statistics.ts';
import {
  addressesAfter,
  countAlike,
  findStatistic,
  mostListedAddresses,
  prepareScan,
  walkAlongKey,
  writeStatistic,
} from './store.ts';

/** Names of stored counts: with standings of all indicators, or estimated. Counts of earlier names are not read. */
const LEVELS = { standing: 'levels-4', estimate: 'levels-3' } as const;
/** Kinds without a standing: a URL's key is a digest, and contacts are judged by other rules. */
const WITHOUT_STANDING = [KIND.url, KIND.email, KIND.crypto, KIND.phone];
const ACCUSED = 'accused';
/** Candidates for the example of an accused address. The most listed ones are rarely harmless, never all hundred. */
const CANDIDATES = 100;
const COUNTRIES = 'countries';
/** Each slice needs its own scan and changes slowly, so it is not counted after every fetch. */
const FRESH_MS = HOUR_MS;
/** Counts this old are renewed even without a change in the corpus, because scores decay with time. */
const STALE_MS = 24 * FRESH_MS;
/** Addresses read at once: 250 kB of IPv4 keys. */
const BATCH = 50_000;

type CountryCounts = Readonly<Record<string, number>>;

export type SliceOptions = {
  readonly nowMs: number;
  readonly seq: number;
  /** True for a refresh by hand, which ignores the age of the last count. */
  readonly isForced: boolean;
  readonly openCountries?: ((db: Db) => Promise<Countries | null>) | undefined;
};

/** Recounts levels and countries when the change log has moved and the last count is an hour old. */
export async function refreshSlices(tx: Db, options: SliceOptions): Promise<SliceCounts> {
  const sources = await listSources(tx);
  return {
    levels: await refreshLevels(tx, options, sources),
    countries: await refreshCountries(tx, options, sources),
    accused: await refreshAccused(tx, options, sources),
  };
}

async function refreshLevels(
  tx: Db,
  options: SliceOptions,
  sources: readonly Source[],
): Promise<LevelCounts> {
  const hasStandings = (await readStatus(tx)).isFilled;
  const name = hasStandings ? LEVELS.standing : LEVELS.estimate;
  const known = await findStatistic<LevelCounts>(tx, name);
  if (known !== undefined && !isDue(known, options)) return known.value;
  await prepareScan(tx);
  const agingByEntry = sources.filter(agesByEntry).map(({ number }) => number);
  const alike = await countAlike(tx, agingByEntry, hasStandings ? WITHOUT_STANDING : Object.values(KIND));
  const counted = countLevels(alike, sources, options.nowMs);
  const levels = hasStandings ? addStandings(counted, await countByLevel(tx)) : counted;
  await writeStatistic(tx, name, { value: levels, seq: options.seq, computedAtMs: options.nowMs });
  return levels;
}

/** Chooses the example of an accused address, by a range scan of the addresses alone. */
async function refreshAccused(
  tx: Db,
  options: SliceOptions,
  sources: readonly Source[],
): Promise<AccusedExample | null> {
  const known = await findStatistic<AccusedExample | null>(tx, ACCUSED);
  if (known !== undefined && !isDue(known, options)) return known.value;
  await walkAlongKey(tx, true);
  const addresses = await mostListedAddresses(tx, {
    agingByEntry: sources.filter(agesByEntry).map(({ number }) => number),
    accusing: sources.filter(isCounted).map(({ number }) => number),
    limit: CANDIDATES,
  });
  await walkAlongKey(tx, false);
  const accused = chooseAccused(addresses, sources, options.nowMs);
  await writeStatistic(tx, ACCUSED, { value: accused, seq: options.seq, computedAtMs: options.nowMs });
  return accused;
}

async function refreshCountries(
  tx: Db,
  options: SliceOptions,
  sources: readonly Source[],
): Promise<CountryCounts | null> {
  const known = await findStatistic<CountryCounts>(tx, COUNTRIES);
  if (known !== undefined && !isDue(known, options)) return known.value;
  const countries = (await options.openCountries?.(tx)) ?? null;
  // A process without the geo file keeps the last count.
  if (countries === null) return known?.value ?? null;
  const numbers = sources.filter(isCounted).map(({ number }) => number);
  await walkAlongKey(tx, true);
  const byCountry = await countCountries(addresses(tx, numbers), countries);
  await walkAlongKey(tx, false);
  await writeStatistic(tx, COUNTRIES, { value: byCountry, seq: options.seq, computedAtMs: options.nowMs });
  return byCountry;
}

function isDue(
  known: { readonly seq: number; readonly computedAtMs: number },
  { nowMs, seq, isForced }: SliceOptions,
): boolean {
  const ageMs = Math.abs(nowMs - known.computedAtMs);
  return ageMs >= STALE_MS || (known.seq !== seq && (isForced || ageMs >= FRESH_MS));
}

/** Batches of addresses in key order, so that each starts where the last one ended. */
async function* addresses(tx: Db, sourceNumbers: readonly number[]): AsyncGenerator<AddressBatch> {
  for (const [kind, size] of [
    [KIND.ipv4, 4],
    [KIND.ipv6, 16],
  ] as const) {
    let after = Buffer.of(kind);
    for (;;) {
      const bytes = await addressesAfter(tx, { kind, size, after, sourceNumbers, limit: BATCH });
      if (bytes === null) break;
      yield { bytes, size };
      after = Buffer.concat([Buffer.of(kind), bytes.subarray(-size)]);
    }
  }
}
