import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder for compiled modules of the processes that tests start: a start of the API takes 4.0 CPU seconds
 * without it and 3.0 with it. One folder per checkout, outside of it; Node compares the content of a
 * file before it uses an entry.
 */
export const COMPILE_CACHE = join(
  tmpdir(),
  `assay-compile-cache-${createHash('sha256')
    .update(import.meta.dirname)
    .digest('hex')
    .slice(0, 12)}`,
);
