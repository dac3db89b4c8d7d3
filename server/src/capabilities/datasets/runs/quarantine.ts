import { createReadStream } from 'node:fs';
import type { GateError } from '#capabilities/lists/index.ts';
import { createArtifacts, putArtifact, removeArtifact } from '#platform/artifacts.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import type { Db } from '#platform/postgres.ts';
import type { DatasetDeps, Quarantined } from '../contract.ts';
import type { FetchedDataset } from '../fetch/fetch-dataset.ts';
import { insertDecision } from './decision-store.ts';
import * as store from './quarantine-store.ts';

export type NewQuarantine = {
  readonly sourceNumber: number;
  readonly sourceId: string;
  readonly runId: string;
  readonly gate: GateError;
  readonly fetched: FetchedDataset | null;
  readonly nowMs: number;
};

const artifactName = (sourceId: string, part: number): string => `feed-quarantine.${sourceId}.${part}`;

/** Stores the bytes where every node finds them, so that an operator can release them; web pages are not stored. */
export async function quarantine(tx: Db, given: NewQuarantine): Promise<void> {
  const { gate, fetched } = given;
  const paths = gate.isReleasable ? (fetched?.paths ?? []) : [];
  const names = paths.map((_, part) => artifactName(given.sourceId, part));
  for (const [part, path] of paths.entries())
    await putArtifact(
      tx,
      artifactName(given.sourceId, part),
      createReadStream(path, { highWaterMark: 1024 * 1024 }),
    );
  const [before] = await store.readQuarantine(tx, given.sourceId);
  for (const name of before?.artifacts ?? []) if (!names.includes(name)) await removeArtifact(tx, name);
  await store.saveQuarantine(tx, {
    sourceNumber: given.sourceNumber,
    runId: given.runId,
    sinceMs: given.nowMs,
    gate: gate.gate,
    reason: gate.message,
    artifacts: names,
    parts: fetched?.parts ?? [],
    contentSha256: fetched?.sha256 ?? null,
    dataAtMs: fetched?.lastModifiedMs ?? given.nowMs,
    cursor: fetched?.cursor ?? null,
  });
}

export async function clearQuarantine(tx: Db, sourceNumber: number): Promise<void> {
  for (const name of await store.deleteQuarantine(tx, sourceNumber)) await removeArtifact(tx, name);
}

export async function listQuarantine(deps: Pick<DatasetDeps, 'system'>): Promise<readonly Quarantined[]> {
  return store.readQuarantine(deps.system.db, null);
}

export async function findQuarantine(
  { system }: Pick<DatasetDeps, 'system'>,
  sourceId: string,
): Promise<store.QuarantineRow> {
  const [found] = await store.readQuarantine(system.db, sourceId);
  if (found === undefined) throw notFound('Quarantined download of source', sourceId);
  return found;
}

export async function openQuarantined(
  deps: DatasetDeps,
  { sourceId, artifacts }: store.QuarantineRow,
): Promise<readonly string[]> {
  const { openArtifact } = createArtifacts({ postgres: deps.system, ...deps });
  return Promise.all(
    artifacts.map(async (name) => {
      const opened = await openArtifact(name);
      if (opened !== null) return opened.path;
      throw new ServiceError(
        'Conflict',
        `The quarantined bytes of '${sourceId}' are no longer stored; run the source again.`,
      );
    }),
  );
}

/** Deletes the quarantined download. The problem stays until the next run asks the publisher again. */
export async function discardQuarantine(
  { system, clock }: Pick<DatasetDeps, 'system' | 'clock'>,
  sourceId: string,
  { by }: { readonly by: string },
): Promise<void> {
  const waiting = await findQuarantine({ system }, sourceId);
  await system.transaction(async (tx) => {
    await insertDecision(tx, { ...waiting, action: 'discard', by, nowMs: clock.now() });
    await clearQuarantine(tx, waiting.sourceNumber);
  });
}
