import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CorpusWriteDeps, listSources } from '#capabilities/corpus/index.ts';
import type { OpenedNetworks } from '#capabilities/enrichment/index.ts';
import { formatIpv4, icannSuffixOf } from '#domain/indicator/index.ts';
import {
  BAD_MAX_A_SOURCE,
  CROWDED_SYSTEM_SHARE,
  GOOD_MAX,
  NameSample,
  type Trained,
  trainingOf,
} from '#domain/signals/index.ts';
import { putArtifact, removeArtifact } from '#platform/artifacts.ts';
import type { Log } from '#platform/log.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { packSignals } from './signal-file.ts';
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
  readonly heldAsideMin?: { readonly own: number; readonly tenant: number };
};

export type TrainReport = { readonly outcome: 'trained' | 'unchanged'; readonly version: SignalVersion };

/** A replay reaches back 90 days (scoring ruling 12); one more day covers clocks of nodes that differ. */
const KEPT_MS = 91 * DAY_MS;
const NAMES_A_PAGE = 20_000;
const ADDRESS_BYTES = 4;
const ADDRESSES_A_TURN = 50_000;

/**
 * Trains all signals from the corpus as it is now and puts them into force on every node. The same corpus gives the
 * same bytes and then changes nothing. Everything but the last step only reads.
 */
export async function trainSignals(deps: TrainDeps, run: TrainRun = {}): Promise<TrainReport> {
  const { system, clock } = deps;
  const startedMs = clock.monotonic();
  const sources = trainingSources(await listSources(system.db));
  const addresses = addressesOf(await packedAddresses(system.db, sources.addresses));
  const crowdedSystems = await crowdedOf(addresses, await deps.openNetworks(system.db), run.signal);
  const { table: names, ...trained } = await namesOf(system.db, sources, run);
  const popular = registrablesOf(await popularNames(system.db, sources, POPULAR_MAX));
  const { version, packed } = await packSignals({ addresses, crowdedSystems, names, popular });
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
      namesHeldAside: trained.heldAside.own,
      tenantsHeldAside: trained.heldAside.tenant,
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

function addressesOf(packed: Buffer): Uint32Array {
  const addresses = new Uint32Array(packed.length / ADDRESS_BYTES);
  for (let at = 0; at < addresses.length; at += 1) addresses[at] = packed.readUInt32BE(at * ADDRESS_BYTES);
  return addresses;
}

/** Numbers of the autonomous systems of whose announced IPv4 addresses a large share is listed. */
async function crowdedOf(
  addresses: Uint32Array,
  networks: OpenedNetworks | null,
  signal: AbortSignal | undefined,
): Promise<readonly number[]> {
  if (networks === null) return [];
  const listed = new Map<number, number>();
  for (const [at, address] of addresses.entries()) {
    const value = formatIpv4(address);
    const asn = networks.networkOf({ kind: 'ip', version: 4, address, value })?.asn;
    if (asn !== undefined) listed.set(asn, (listed.get(asn) ?? 0) + 1);
    if (at % ADDRESSES_A_TURN === 0) await turn(signal);
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

async function namesOf(
  db: Db,
  sources: TrainingSources,
  { signal, heldAsideMin }: TrainRun,
): Promise<Trained> {
  const bad = new Map(sources.bad.map((number) => [number, new NameSample(BAD_MAX_A_SOURCE)]));
  const good = new NameSample(GOOD_MAX);
  for (let after = ''; ; ) {
    const page = await db.transaction().execute(async (tx) => {
      await readAlongKeys(tx);
      return namesAfter(tx, after, sources, NAMES_A_PAGE);
    });
    for (const { name, badSources } of page) {
      for (const number of badSources) bad.get(number)?.add(name);
      if (badSources.length === 0) good.add(name);
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.name;
    await turn(signal);
  }
  const training = trainingOf([...bad.values()], good, heldAsideMin);
  for (;;) {
    const { done, value } = training.next();
    if (done === true) return value;
    await turn(signal);
  }
}

const registrablesOf = (names: readonly string[]): readonly string[] =>
  [...new Set(names.flatMap((name) => icannSuffixOf(name)?.registrable ?? []))].sort();

async function turn(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await nextTurn();
}
