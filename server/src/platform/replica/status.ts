import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../replace-file.ts';
import { replicaFolder } from './generations.ts';

/** The status for operators: written by the replicator, never trusted by a listener. */
export type DatasetStatus = {
  readonly dataset: string;
  readonly generation: string | null;
  readonly seq: number;
  readonly snapshotId: string;
  readonly entries: number;
  readonly bytes: number;
  readonly bytesPerEntry: number | null;
  readonly setHash: string | null;
  readonly contactAt: string | null;
  readonly verifiedAt: string | null;
  readonly isFollowing: boolean;
  readonly rebuildReason: string | null;
};
export type StatusFile = {
  readonly pid: number;
  readonly replicatorId: string;
  readonly writtenAt: string;
  readonly datasets: readonly DatasetStatus[];
};

export const snapshotId = (seq: number): string => String(seq);

const statusFile = (dataDir: string): string => join(replicaFolder(dataDir), 'status.json');

export const writeStatus = (dataDir: string, status: StatusFile): void =>
  replaceFile(statusFile(dataDir), `${JSON.stringify(status, null, 2)}\n`);

export function readStatus(dataDir: string): StatusFile | null {
  try {
    return JSON.parse(readFileSync(statusFile(dataDir), 'utf8')) as StatusFile;
  } catch {
    return null;
  }
}
