import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

export const SUMS_FILE = 'SHA256SUMS';

/** Writes the SHA-256 of every file in the folder in the form that `sha256sum --check` reads; answers their names. */
export async function writeChecksums(folder: string): Promise<readonly string[]> {
  const names = readdirSync(folder)
    .filter((name) => name !== SUMS_FILE)
    .sort();
  const lines: string[] = [];
  for (const name of names) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, name)), hash);
    lines.push(`${hash.digest('hex')}  ${name}\n`);
  }
  writeFileSync(join(folder, SUMS_FILE), lines.join(''));
  return names;
}
