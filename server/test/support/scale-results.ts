import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const RESULTS = join(import.meta.dirname, '../../../bench/results');
const FILE = join(RESULTS, 'scale.json');

/** `npm run test:scale`: the proofs at their real size; everywhere else a fraction of it. */
export const IS_FULL_SCALE = process.env.ASSAY_SCALE === 'full';

/** Prints the figures of a proof and, at full size, keeps them beside those of the benchmarks. */
export function keepResult(name: string, figures: Readonly<Record<string, number>>): void {
  const rounded = Object.fromEntries(
    Object.entries(figures).map(([figure, value]) => [figure, Math.round(value * 100) / 100]),
  );
  console.info(name, rounded);
  if (!IS_FULL_SCALE) return;
  mkdirSync(RESULTS, { recursive: true });
  const kept = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as object) : {};
  writeFileSync(FILE, `${JSON.stringify({ ...kept, [name]: rounded }, null, 2)}\n`);
}
