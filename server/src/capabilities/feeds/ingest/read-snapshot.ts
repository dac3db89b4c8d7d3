import type { ListedRow } from '#capabilities/corpus/index.ts';
import { contentShaOf } from '#capabilities/datasets/index.ts';
import type { SnapshotCounts } from '#capabilities/lists/index.ts';
import {
  GateError,
  isWholeFileBroken,
  openFormat,
  readSnapshotFile,
  wantsMember,
} from '#capabilities/lists/index.ts';
import type { BatchChannel } from './batch-channel.ts';
import { withBoundedWork } from './bounded-work.ts';
import type { IngestOptions } from './contract.ts';
import type { SnapshotIntake } from './snapshot-intake.ts';

/** Limit after unpacking, against mistakes and archive bombs; the fetcher has a lower one per source. */
const FILE_BYTES_MAX = 4 * 1024 ** 3;

export type SnapshotBytes = {
  /** Size on disk, before unpacking. */
  readonly bytes: number;
  /** The file's own digest for a single file, else a digest of the parts' digests in order. */
  readonly sha256: string;
};

/** Reads the files one after another as parts of one snapshot, and pushes their rows. */
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
        withBoundedWork(() => parser.write(piece));
        onProgress?.(intake.lines);
        return push(intake.take());
      },
      memberEnd: () => undefined,
    });
    withBoundedWork(() => parser.end());
    await push(intake.take());
    digests.push(read.sha256);
    bytes += read.bytes;
  }
  onProgress?.(intake.lines);
  return { bytes, sha256: contentShaOf(digests) };
}

/** A truncated document reads like a short list, and must not delist the entries that it lost. */
export function refuseBroken(counts: SnapshotCounts): void {
  const broken = counts.reasons.find(({ kind, reason }) => kind === 'rejected' && isWholeFileBroken(reason));
  if (broken !== undefined) throw new GateError('wrong-format', broken.reason, false, counts);
}
