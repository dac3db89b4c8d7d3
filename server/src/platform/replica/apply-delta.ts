import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Db, Postgres } from '../postgres.ts';
import type { Collection, Dataset } from './dataset.ts';
import type { WriterState } from './generation-writer.ts';
import type { Head } from './head.ts';
import {
  type ChangedKey,
  positionDoubt,
  preferIndexes,
  readChangedKeys,
  readLogState,
  readValues,
} from './log-reader.ts';
import { type Change, packChanges } from './packed-changes.ts';
import type { WriterProcess } from './writer-process.ts';

const KEYS_PER_BATCH = 5_000;

export type DeltaDeps = {
  readonly postgres: Postgres;
  readonly dataset: Dataset;
  readonly writer: WriterProcess;
  readonly log: Log;
  readonly clock: Clock;
};
export type DeltaResult = { readonly state: WriterState } | { readonly doubt: string };

/**
 * Applies all changes after the generation's position: read in one snapshot, applied in one LMDB transaction. A
 * killed process leaves the generation either before or after the delta.
 */
export async function applyDelta(deps: DeltaDeps, head: Head): Promise<DeltaResult> {
  const { postgres, dataset, writer } = deps;
  await writer.call('discardStaged');
  const contactAtMs = deps.clock.now();
  const begunMs = deps.clock.monotonic();
  const position = await postgres.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const log = await readLogState(tx, dataset.name, head.seq, head.seqAtUs);
      const doubt = positionDoubt(head, log);
      if (doubt !== null) return { doubt };
      await preferIndexes(tx, true);
      const staleDerived = await stageEntries(deps, tx, head.seq, log.newestSeq);
      await preferIndexes(tx, false);
      for (const derived of dataset.derived)
        if (staleDerived.has(derived.name)) {
          const value = await derived.build(tx);
          await writer.call('stage', null, packChanges([{ key: Buffer.from(derived.name), value }]));
        }
      return { seq: log.newestSeq, seqAtUs: log.newestAtUs };
    });
  if (position.doubt !== undefined) return { doubt: position.doubt };
  const { seq, seqAtUs } = position;
  const contactTookMs = deps.clock.monotonic() - begunMs;
  return {
    state: await writer.call('commit', { seq, seqAtUs, baseSeq: head.seq, contactAtMs, contactTookMs }),
  };
}

async function stageEntries(deps: DeltaDeps, tx: Db, fromSeq: number, toSeq: number): Promise<Set<string>> {
  const { dataset, writer, log } = deps;
  const stale = new Set<string>();
  for await (const batch of readChangedKeys(tx, dataset.name, fromSeq, toSeq, KEYS_PER_BATCH))
    for (const [name, keys] of Map.groupBy(batch, (row: ChangedKey) => row.collection)) {
      const collection = dataset.collections.find((known) => known.name === name);
      if (collection === undefined) {
        log.warn({ dataset: dataset.name, collection: name }, 'change of an unknown collection ignored');
        continue;
      }
      for (const derived of dataset.derived)
        if (!stale.has(derived.name) && keys.some((row) => derived.dependsOn(name, row.key)))
          stale.add(derived.name);
      await writer.call('stage', name, packChanges(await currentValues(tx, collection, keys)));
    }
  return stale;
}

async function currentValues(
  tx: Db,
  collection: Collection,
  changed: readonly ChangedKey[],
): Promise<Change[]> {
  const keys = changed.map((row) => row.key);
  const found = new Map<string, Buffer>();
  for (const { key, value } of await readValues(tx, collection.view, keys)) {
    const text = key.toString('latin1');
    if (found.has(text))
      throw new Error(`View '${collection.view}' has two rows for the key ${key.toString('hex')}.`);
    found.set(text, value);
  }
  return keys.map((key) => ({ key, value: found.get(key.toString('latin1')) ?? null }));
}
