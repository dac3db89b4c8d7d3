import { existsSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  NO_SIGNAL_BOOK,
  type SignalBook,
  signalBookOf,
} from '../../server/src/capabilities/signals/signal-book.ts';
import { openSignals } from '../../server/src/capabilities/signals/signal-file.ts';
import { newestVersion } from '../../server/src/capabilities/signals/store.ts';
import { createArtifacts } from '../../server/src/platform/artifacts.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { createLog } from '../../server/src/platform/log.ts';
import type { Postgres } from '../../server/src/platform/postgres.ts';

const signalsFile = (dataDir: string): string => join(dataDir, 'signals.gz');

/** Copies the signal tables that the import trained beside the replica, because the database is dropped afterwards. */
export async function keepSignals(postgres: Postgres, dataDir: string): Promise<void> {
  const newest = await newestVersion(postgres.db);
  if (newest === null) return;
  const artifacts = createArtifacts({ postgres, dataDir, log: createLog('silent'), clock: systemClock() });
  const opened = await artifacts.openArtifact(newest.artifact);
  if (opened !== null) await copyFile(opened.path, signalsFile(dataDir));
}

export async function readSignals(dataDir: string): Promise<SignalBook> {
  if (!existsSync(signalsFile(dataDir))) return NO_SIGNAL_BOOK;
  return signalBookOf('00000001', await openSignals(await readFile(signalsFile(dataDir))));
}
