import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ListedRow } from '#capabilities/corpus/index.ts';
import { readSnapshotFile } from '../containers/read-snapshot-file.ts';
import { isWholeFileBroken, openFormat, wantsMember } from '../formats/open-format.ts';
import type { BatchChannel } from './batch-channel.ts';
import { GateError, type IngestOptions, type SnapshotCounts, type SnapshotFile } from './contract.ts';
import type { SnapshotIntake } from './snapshot-intake.ts';

/** After unpacking: a limit against mistakes and bombs; the fetcher has a narrower one per source. */
const FILE_BYTES_MAX = 4 * 1024 ** 3;
const CHUNK_BYTES = 1024 ** 2;

export type SnapshotBytes = {
  /** As they were on disk. */
  readonly bytes: number;
  /** Of a single file its own digest, else a digest of the parts' digests in order. */
  readonly sha256: string;
};

/** Reads the files one after another, as parts of one snapshot, and pushes the rows as they come. */
export async function readSnapshot(
  options: Pick<IngestOptions, 'files' | 'signal' | 'onProgress'>,
  intake: SnapshotIntake,
  push: BatchChannel<ListedRow>['push'],
): Promise<SnapshotBytes> {
  const { files, signal, onProgress } = options;
  const limits = { bytesMax: FILE_BYTES_MAX, ...(signal === undefined ? {} : { signal }) };
  const digests: string[] = [];
  let bytes = 0;
  for (const file of files) {
    const parser = openFormat(file.format, intake.sink(file.family));
    const read = await readSnapshotFile(file.path, limits, {
      member: (path) => {
        if (!wantsMember(file.format, path)) return false;
        parser.member?.(path);
        return true;
      },
      text: (piece) => {
        parser.write(piece);
        onProgress?.(intake.lines);
        return push(intake.take());
      },
      memberEnd: () => undefined,
    });
    parser.end();
    await push(intake.take());
    digests.push(read.sha256);
    bytes += read.bytes;
  }
  onProgress?.(intake.lines);
  return { bytes, sha256: contentSha(digests) };
}

/** A document that ends in the middle reads like a short list: it must not delist what it did not come to. */
export function refuseBroken(counts: SnapshotCounts): void {
  const broken = counts.reasons.find(({ kind, reason }) => kind === 'rejected' && isWholeFileBroken(reason));
  if (broken !== undefined) throw new GateError('wrong-format', broken.reason, false, counts);
}

/** The same name, without reading the files as lists. */
export async function contentShaOfFiles(files: readonly SnapshotFile[]): Promise<string> {
  const digests: string[] = [];
  for (const { path } of files) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path, { highWaterMark: CHUNK_BYTES }), hash);
    digests.push(hash.digest('hex'));
  }
  return contentSha(digests);
}

function contentSha(digests: readonly string[]): string {
  const [only] = digests;
  if (only !== undefined && digests.length === 1) return only;
  return createHash('sha256').update(digests.join('\n')).digest('hex');
}
