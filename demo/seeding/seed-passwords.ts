import { loadPasswords } from '../../server/src/capabilities/passwords/index.ts';
import { renderPasswords } from '../sample/breached-passwords.ts';
import { withFile } from './load-sample-file.ts';
import type { Seeding } from './seeding.ts';

/** Loads a small corpus of breached password hashes into the data folder of this node. */
export const seedPasswords = (seeding: Seeding): Promise<unknown> =>
  withFile(seeding, renderPasswords(), (path) =>
    loadPasswords({
      dataDir: seeding.config.DATA_DIR,
      paths: [path],
      type: 'sha1',
      dataAtMs: seeding.todayMs,
      nowMs: Date.now(),
    }),
  );
