import { loadPasswords } from '../../server/src/capabilities/passwords/index.ts';
import { renderPasswords } from '../sample/breached-passwords.ts';
import { withFile } from './load-sample-file.ts';
import type { Seeding } from './seeding.ts';

/** Loads a small corpus of breached password hashes into the data folder of this node. */
export const seedPasswords = ({ config, todayMs }: Seeding): Promise<unknown> =>
  withFile(renderPasswords(), (path) =>
    loadPasswords({
      dataDir: config.DATA_DIR,
      paths: [path],
      type: 'sha1',
      dataAtMs: todayMs,
      nowMs: Date.now(),
    }),
  );
