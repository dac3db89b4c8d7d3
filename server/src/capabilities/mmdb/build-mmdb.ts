import { createHash } from 'node:crypto';
import { isFollowerCurrent } from '#capabilities/corpus/index.ts';
import { listVersions } from '#capabilities/standing/index.ts';
import { type WrittenMmdb, writeMmdb } from '#domain/mmdb/index.ts';
import { hourOf, MODEL_VERSION } from '#domain/scoring/index.ts';
import { putArtifact } from '#platform/artifacts.ts';
import { type GatherDeps, gatherNetworks, LIST } from './gather-networks.ts';
import * as store from './store.ts';

export const ARTIFACT = 'mmdb';
export const DATABASE_TYPE = 'Assay-IP-Reputation';
export const DESCRIPTION = 'Addresses and networks that sources list as threats, with the score of each';
const FAILURE_MAX = 500;

export type BuildReport = {
  /** `waiting`: the standings are not complete yet. `held`: it lost half of its entries and was not published. */
  readonly outcome: 'built' | 'unchanged' | 'same content' | 'held' | 'waiting';
  readonly addresses: number;
  readonly ranges: number;
  readonly records: number;
  readonly tookMs: number;
};

/**
 * Builds the database if the list of its members moved, and once an hour because scores fade. Everything but the last step
 * only reads, so that a build that fails anywhere leaves the last good file.
 */
export async function buildMmdb(deps: GatherDeps): Promise<BuildReport> {
  try {
    return await build(deps);
  } catch (error) {
    const failure = (error instanceof Error ? error.message : String(error)).slice(0, FAILURE_MAX);
    if (deps.signal?.aborted !== true)
      await deps.transaction((tx) => store.noteFailure(tx, deps.judge.clock.now(), failure));
    throw error;
  }
}

async function build(deps: GatherDeps): Promise<BuildReport> {
  const { transaction, judge } = deps;
  const startedMs = judge.clock.monotonic();
  const nowMs = judge.clock.now();
  const state = await transaction(store.readState);
  const reportOf = (
    outcome: BuildReport['outcome'],
    of: Omit<BuildReport, 'outcome' | 'tookMs'>,
  ): BuildReport => ({
    outcome,
    addresses: of.addresses,
    ranges: of.ranges,
    records: of.records,
    tookMs: judge.clock.monotonic() - startedMs,
  });
  if (!(await transaction((tx) => isFollowerCurrent(tx, 'standing')))) return reportOf('waiting', state);
  const builtAs = await stampOf(deps, nowMs);
  if (state.builtAs === builtAs && state.builtAtMs !== null) {
    await transaction((tx) => store.noteChecked(tx, builtAs, nowMs));
    return reportOf('unchanged', state);
  }
  const gathered = await gatherNetworks(deps);
  const counts = { addresses: gathered.addresses, ranges: gathered.ranges, records: gathered.records.length };
  const entries = counts.addresses + counts.ranges;
  const before = state.addresses + state.ranges;
  if (before > 0 && state.releasedAs !== builtAs && entries * 2 <= before) {
    await transaction((tx) => store.noteHeld(tx, entries, builtAs));
    return reportOf('held', state);
  }
  const written = writeMmdb(gathered.tree.finish(), gathered.records);
  const contentSha256 = digestOf(written);
  if (state.contentSha256 === contentSha256) {
    await transaction((tx) => store.noteChecked(tx, builtAs, nowMs));
    return reportOf('same content', counts);
  }
  const report = reportOf('built', counts);
  await transaction(async (tx) => {
    await store.lockBuild(tx);
    await putArtifact(tx, ARTIFACT, fileOf(written, nowMs));
    await store.saveBuilt(tx, { ...report, builtAs, contentSha256, builtAtMs: nowMs });
  });
  return reportOf('built', counts);
}

/** Identifies what decides the content: audience, model, version of the list, and the hour, because scores fade. */
async function stampOf({ transaction, audience }: GatherDeps, nowMs: number): Promise<string> {
  const versions = await transaction(listVersions);
  return `${audience}-${MODEL_VERSION}-${versions[LIST]}-${hourOf(nowMs / 1_000)}`;
}

function digestOf({ content }: WrittenMmdb): string {
  const hash = createHash('sha256');
  for (const piece of content()) hash.update(piece);
  return hash.digest('hex');
}

function* fileOf({ content, metadata }: WrittenMmdb, nowMs: number): Generator<Uint8Array> {
  yield* content();
  yield metadata({
    databaseType: DATABASE_TYPE,
    description: DESCRIPTION,
    buildEpochS: Math.floor(nowMs / 1_000),
  });
}
