import { hash } from 'node:crypto';
import { putArtifact, removeArtifact } from '#platform/artifacts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/postgres.ts';
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
  /** As people know it; stands in the sentence of a refusal. */
  readonly label: string;
  readonly bytes: Uint8Array;
  /** When the file was written, for data that has no date of its own. */
  readonly modifiedAtMs: number;
};

export type LoadOptions = {
  /** Overrules the file's own date. */
  readonly dataAtMs?: number;
  readonly name?: string;
  readonly attribution?: string;
  /** Take it although it holds less than half of what the version before it held. */
  readonly force?: boolean;
};

export type LoadReport = {
  /** `unchanged`: the same content is in force already. */
  readonly outcome: 'loaded' | 'unchanged';
  readonly version: ReferenceVersion;
};

/** What a replay may reach back to (90 days), and as much again for what fades (scoring ruling 12). */
export const KEPT_MS = 180 * 86_400_000;
const VERSION_DIGITS = 12;
const SHARE_MIN = 0.5;
const CHUNK_BYTES = 1024 * 1024;

const MITRE_NOTICE =
  '© The MITRE Corporation. This work is reproduced and distributed with the permission of The MITRE Corporation. ATT&CK is a registered trademark of The MITRE Corporation.';

/**
 * Makes files the reference data of a kind, for every node within 15 seconds. Throws a RefusedFile, and changes nothing,
 * when they are not what they should be. The work of reading is done before the transaction begins.
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
  const sha256 = hash('sha256', compiled.content, 'hex');
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

/** Reliability F2: half a download, or the wrong product of a publisher, must not replace a good file by itself. */
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
