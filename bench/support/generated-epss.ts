import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomNumbers } from './random-numbers.ts';

const EPSS = 'cve/epss/epss_scores-nuclei.csv';
const CHANGED_SHARE = 0.15;
const DIGITS = 5;

/** Days of EPSS for these CVEs, with the scores of the real file; each day differs from the one before in 15 of 100 rows. */
export function generateEpss(
  data: string,
  folder: string,
  ids: readonly string[],
  days: number,
  firstDay = 0,
): readonly { readonly path: string; readonly rows: string }[] {
  const next = randomNumbers(77);
  const real = readFileSync(join(data, EPSS), 'utf8')
    .split('\n')
    .slice(2)
    .flatMap((line) => {
      const [, score, percentile] = line.split(',').map(Number);
      return score === undefined || percentile === undefined ? [] : [{ score, percentile }];
    });
  let scores = ids.map(() => real[next() % real.length] ?? { score: 0.1, percentile: 0.5 });
  return Array.from({ length: days }, (_, day) => {
    if (day > 0)
      scores = scores.map((known) => {
        if (next() / 2 ** 32 >= CHANGED_SHARE) return known;
        const moved = known.score * (0.9 + 0.2 * (next() / 2 ** 32));
        return { ...known, score: Math.min(1, Math.max(10 ** -DIGITS, moved)) };
      });
    const date = new Date(Date.UTC(2026, 7, 1 + firstDay + day)).toISOString().slice(0, 10);
    const rows = ids
      .map(
        (id, at) => `${id},${scores[at]?.score.toFixed(DIGITS)},${scores[at]?.percentile.toFixed(DIGITS)}\n`,
      )
      .join('');
    const path = join(folder, `epss-${date}.csv`);
    writeFileSync(
      path,
      `#model_version:v2025.03.14,score_date:${date}T00:00:00+0000\ncve,epss,percentile\n${rows}`,
    );
    return { path, rows };
  });
}
