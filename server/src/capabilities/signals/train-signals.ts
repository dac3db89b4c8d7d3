import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CorpusWriteDeps, listSources } from '#capabilities/corpus/index.ts';
import type { OpenedNetworks } from '#capabilities/enrichment/index.ts';
import { formatIpv4, icannSuffixOf } from '#domain/indicator/index.ts';
import {
  BAD_MAX_A_SOURCE,
  CROWDED_SYSTEM_SHARE,
  GOOD_MAX,
  LISTED_NOW,
  NameSample,
  type Trained,
  trainingOf,
} from '#domain/signals/index.ts';
import { putArtifact, removeArtifact } from '#platform/artifacts.ts';
import type { Log } from '#platform/log.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { PlatformCounts } from './platform-counts.ts';
import { packSignals, type SignalContent } from './signal-file.ts';
import {
  deleteReplacedBefore,
  insertVersion,
  isArtifactUsed,
  lockSignals,
  namesAfter,
  newestVersion,
  packedAddresses,
  popularNames,
  readAlongKeys,
  type SignalVersion,
} from './store.ts';
import { POPULAR_MAX, type TrainingSources, trainingSources } from './training-sources.ts';

export type TrainDeps = CorpusWriteDeps & {
  readonly log: Log;
  /** The table of networks; null when none is loaded: then no system counts as crowded. */
  readonly openNetworks: (db: Db) => Promise<OpenedNetworks | null>;
};

export type TrainRun = {
  /** A job writes through its own transactions, which commit only while it holds its lease. */
  readonly transaction?: <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
  readonly signal?: AbortSignal;
  /** The fewest held-out good names that suffice to set a threshold. */
  readonly heldAsideMin?: number;
};

export type TrainReport = { readonly outcome: 'trained' | 'unchanged'; readonly version: SignalVersion };

/** A replay reaches back 90 days (scoring ruling 12); one more day covers clocks of nodes that differ. */
const KEPT_MS = 91 * DAY_MS;
const NAMES_A_PAGE = 20_000;
const ADDRESS_BYTES = 4;
const ADDRESS_WITH_BITS = ADDRESS_BYTES + 1;
const ADDRESSES_A_TURN = 50_000;
/** Servers move on within weeks, but attackers return to networks and platforms that served them well. */
const RECENT_MS = 90 * DAY_MS;
/** Campaigns change their words faster: with 120 days and lists of malware the names foresaw less. */
const BAD_NAMES_MS = 60 * DAY_MS;

/**
 * Trains all signals from the corpus as it is now and puts them into force on every node. The same corpus gives the
 * same bytes and then changes nothing. Everything but the last step only reads.
 */
export async function trainSignals(deps: TrainDeps, run: TrainRun = {}): Promise<TrainReport> {
  const { system, clock } = deps;
  const startedMs = clock.monotonic();
  const sources = trainingSources(await listSources(system.db));
  // Whole days, so that the same corpus gives the same bytes for the whole day.
  const today = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  const listed = listedOf(await packedAddresses(system.db, sources, today - RECENT_MS));
  const { addresses } = listed;
  const crowdedSystems = await crowdedOf(listed, await deps.openNetworks(system.db), run.signal);
  const { trained, platforms } = await namesOf(system.db, { sources, today, run });
  const popular = registrablesOf(await popularNames(system.db, sources, POPULAR_MAX));
  const content = { ...listed, crowdedSystems, names: trained.table, popular, platforms };
  const { version, packed } = await packSignals(content);
  const row: SignalVersion = {
    version,
    artifact: `signals-${version}`,
    bytes: packed.length,
    trainedAtMs: clock.now(),
    details: {
      addresses: addresses.length,
      crowdedSystems: crowdedSystems.length,
      badNames: trained.bad,
      goodNames: trained.good,
      namesHeldAside: trained.heldAside,
      hotPlatforms: platforms.length,
      popularNames: popular.length,
    },
  };
  const report = await (run.transaction ?? system.transaction)((tx) => putIntoForce(tx, row, packed));
  const durationMs = Math.round(clock.monotonic() - startedMs);
  deps.log.info({ version, outcome: report.outcome, ...row.details, durationMs }, 'signals.trained');
  return report;
}

async function putIntoForce(tx: Db, row: SignalVersion, packed: Buffer): Promise<TrainReport> {
  await lockSignals(tx);
  const before = await newestVersion(tx);
  if (before?.version === row.version) return { outcome: 'unchanged', version: before };
  await putArtifact(tx, row.artifact, [packed]);
  await insertVersion(tx, row);
  for (const artifact of new Set(await deleteReplacedBefore(tx, row.trainedAtMs - KEPT_MS)))
    if (!(await isArtifactUsed(tx, artifact))) await removeArtifact(tx, artifact);
  return { outcome: 'trained', version: row };
}

type Listed = Pick<SignalContent, 'addresses' | 'bits'>;

function listedOf(packed: Buffer): Listed {
  const addresses = new Uint32Array(packed.length / ADDRESS_WITH_BITS);
  const bits = new Uint8Array(addresses.length);
  for (let at = 0; at < addresses.length; at += 1) {
    addresses[at] = packed.readUInt32BE(at * ADDRESS_WITH_BITS);
    bits[at] = packed.readUInt8(at * ADDRESS_WITH_BITS + ADDRESS_BYTES);
  }
  return { addresses, bits };
}

/** Numbers of the autonomous systems of whose announced IPv4 addresses a large share is listed now. */
async function crowdedOf(
  { addresses, bits }: Listed,
  networks: OpenedNetworks | null,
  signal: AbortSignal | undefined,
): Promise<readonly number[]> {
  if (networks === null) return [];
  const listed = new Map<number, number>();
  for (const [at, address] of addresses.entries()) {
    if (at % ADDRESSES_A_TURN === 0) await turn(signal);
    if (((bits[at] as number) & LISTED_NOW) === 0) continue;
    const value = formatIpv4(address);
    const asn = networks.networkOf({ kind: 'ip', version: 4, address, value })?.asn;
    if (asn !== undefined) listed.set(asn, (listed.get(asn) ?? 0) + 1);
  }
  return [...listed]
    .filter(([asn, count]) => count >= CROWDED_SYSTEM_SHARE * sizeOf(networks, asn))
    .map(([asn]) => asn)
    .sort((a, b) => a - b);
}

function sizeOf(networks: OpenedNetworks, asn: number): number {
  let size = 0;
  for (const { first, last } of networks.autonomousSystem(asn)?.ranges ?? [])
    if (first.length === ADDRESS_BYTES) size += wordOf(last) - wordOf(first) + 1;
  return size;
}

const wordOf = (bytes: Uint8Array): number => Buffer.from(bytes).readUInt32BE();

type NamesRun = { readonly sources: TrainingSources; readonly today: number; readonly run: TrainRun };
type TrainedNames = { readonly trained: Trained; readonly platforms: SignalContent['platforms'] };

/** Reads all names once: own domains for the table of names, tenants for the heat of their platforms. */
async function namesOf(db: Db, { sources, today, run }: NamesRun): Promise<TrainedNames> {
  const { signal, heldAsideMin } = run;
  const since = { badMs: today - BAD_NAMES_MS, heatMs: today - RECENT_MS };
  const bad = new Map(sources.bad.map((number) => [number, new NameSample(BAD_MAX_A_SOURCE)]));
  const good = new NameSample(GOOD_MAX);
  const heat = new PlatformCounts();
  for (let after = ''; ; ) {
    const page = await db.transaction().execute(async (tx) => {
      await readAlongKeys(tx);
      return namesAfter(tx, after, sources, since, NAMES_A_PAGE);
    });
    for (const { name, badSources, isNew, isGood } of page) {
      for (const number of badSources) bad.get(number)?.add(name);
      if (isGood) good.add(name);
      if (isNew) heat.add(name);
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.name;
    await turn(signal);
  }
  const training = trainingOf([...bad.values()], good, heldAsideMin);
  for (;;) {
    const { done, value } = training.next();
    if (done === true) return { trained: value, platforms: heat.platforms() };
    await turn(signal);
  }
}

const registrablesOf = (names: readonly string[]): readonly string[] =>
  [...new Set(names.flatMap((name) => icannSuffixOf(name)?.registrable ?? []))].sort();

async function turn(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await nextTurn();
}
