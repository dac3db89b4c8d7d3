import { putArtifact, removeArtifact } from '#platform/artifacts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/postgres.ts';
import { sha256Of } from '#platform/sha256.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { compileInThread } from './compile-in-thread.ts';
import type { CompiledReference, ReferenceKind } from './compile-reference.ts';
import { readFileBytes } from './read-file-bytes.ts';
import { RefusedFile } from './refused-file.ts';
import {
  deleteReplacedBefore,
  insertVersion,
  isArtifactUsed,
  lockReferences,
  newestVersions,
  type ReferenceVersion,
} from './store.ts';

export type LoadDeps = {
  readonly clock: Clock;
  readonly transaction: <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
};

export type ReferenceFile = {
  readonly label: string;
  readonly bytes: Uint8Array;
  /** When the file was written, for data without a date of its own. */
  readonly modifiedAtMs: number;
};

export type LoadOptions = {
  readonly dataAtMs?: number;
  readonly name?: string;
  readonly attribution?: string;
  /** Accepts it although it holds less than half of the previous version's content. */
  readonly force?: boolean;
};

export type LoadReport = {
  /** `unchanged`: the same content is already current. */
  readonly outcome: 'loaded' | 'unchanged';
  readonly version: ReferenceVersion;
};

/** The reach of a replay (90 days), and as much again for fading listings (scoring ruling 12). */
export const KEPT_MS = 180 * DAY_MS;
const VERSION_DIGITS = 12;
const SHARE_MIN = 0.5;
const CHUNK_BYTES = 1024 * 1024;

const MITRE_NOTICE =
  '© The MITRE Corporation. This work is reproduced and distributed with the permission of The MITRE Corporation. ATT&CK is a registered trademark of The MITRE Corporation.';

/**
 * Makes files the reference data of a kind, for every node within 15 seconds. Throws a RefusedFile, and changes
 * nothing, when they are not valid. The files are read before the transaction begins.
 */
export async function loadReference(
  { clock, transaction }: LoadDeps,
  kind: ReferenceKind,
  files: readonly ReferenceFile[],
  options: LoadOptions = {},
): Promise<LoadReport> {
  const parts = [];
  for (const { label, bytes } of files) parts.push({ label, bytes: await readFileBytes(label, bytes) });
  const compiled = await compileInThread(kind, parts);
  const sha256 = sha256Of(compiled.content);
  const version = sha256.slice(0, VERSION_DIGITS);
  const row: ReferenceVersion = {
    kind,
    version,
    artifact: `reference-${kind}-${version}`,
    sha256,
    bytes: compiled.content.length,
    dataAtMs: dateOf(compiled, files, options, clock.now()),
    loadedAtMs: clock.now(),
    name:
      options.name ??
      compiled.name ??
      files
        .map(({ label }) => label)
        .join(', ')
        .slice(0, 200),
    attribution: options.attribution ?? (kind === 'attack' ? MITRE_NOTICE : null),
    details: compiled.details,
  };
  return transaction(async (tx) => {
    await lockReferences(tx);
    const before = (await newestVersions(tx)).find((each) => each.kind === kind);
    if (before?.sha256 === sha256) return { outcome: 'unchanged', version: before };
    if (options.force !== true) refuseShrunken(before, row);
    await putArtifact(tx, row.artifact, chunksOf(compiled.content));
    await insertVersion(tx, row);
    await removeExpired(tx, clock.now() - KEPT_MS);
    return { outcome: 'loaded', version: row };
  });
}

function dateOf(
  { dataAtMs }: CompiledReference,
  files: readonly ReferenceFile[],
  options: LoadOptions,
  nowMs: number,
): number {
  if (options.dataAtMs !== undefined && options.dataAtMs > nowMs)
    throw new RefusedFile(`${new Date(options.dataAtMs).toISOString().slice(0, 10)} lies in the future.`);
  const ownMs = dataAtMs ?? Math.max(...files.map(({ modifiedAtMs }) => modifiedAtMs));
  // A clock that runs ahead must not make data look newer than now (scoring finding 2).
  return options.dataAtMs ?? Math.min(ownMs, nowMs);
}

/** A partial download, or the wrong product of a publisher, must not replace a good file by itself (reliability F2). */
function refuseShrunken(before: ReferenceVersion | undefined, { kind, details }: ReferenceVersion): void {
  for (const [what, holds] of Object.entries(details)) {
    const held = before?.details[what] ?? 0;
    if (holds < held * SHARE_MIN)
      throw new RefusedFile(
        `The new version of ${kind} holds ${holds.toLocaleString('en-US')} ${what} and the one in use ${held.toLocaleString('en-US')}. It was not taken; --force takes it.`,
      );
  }
}

async function removeExpired(tx: Db, replacedBeforeMs: number): Promise<void> {
  for (const artifact of new Set(await deleteReplacedBefore(tx, replacedBeforeMs)))
    if (!(await isArtifactUsed(tx, artifact))) await removeArtifact(tx, artifact);
}

function* chunksOf(content: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < content.length; at += CHUNK_BYTES) yield content.subarray(at, at + CHUNK_BYTES);
}
