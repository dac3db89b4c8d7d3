import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HISTORIES } from './evaluation-data.ts';
import type { ForwardDay } from './time-forward.ts';

const RESULTS = join(import.meta.dirname, '../results/forward.json');

export const keepForward = (measured: readonly ForwardDay[]): void =>
  writeFileSync(RESULTS, `${JSON.stringify(measured, null, 1)}\n`);

/** The figures of the last `bench:forward`, which runs alone because it needs no replica. */
export const readForward = (): readonly ForwardDay[] =>
  JSON.parse(readFileSync(RESULTS, 'utf8')) as readonly ForwardDay[];

const share = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;

export function forwardLines(measured: readonly ForwardDay[]): readonly string[] {
  return measured.flatMap(({ day, rule, leads, visited, routed }) => [
    ...HISTORIES.map((history) => {
      const { named, low, medium, high } = leads[history];
      return `forward ${day} ${rule}: ${history} ${named} named, low ${share(low, named)}, medium ${share(medium, named)}, high ${share(high, named)}`;
    }),
    `forward ${day} ${rule}: visited ${(100 * visited).toFixed(4)} %, routed ${(100 * routed).toFixed(4)} %`,
  ]);
}

/** One row for each day and rule; the cells are the shares at medium or above. */
export function forwardSection(measured: readonly ForwardDay[]): string {
  const head = ['day', 'rules', ...HISTORIES, 'mean of lists', 'visited hosts', 'routed addresses'];
  const rows = measured.map(({ day, rule, leads, visited, routed }) => {
    const shares = HISTORIES.map((history) => leads[history])
      .filter(({ named }) => named > 0)
      .map(({ medium, named }) => medium / named);
    const mean = shares.reduce((sum, each) => sum + each, 0) / shares.length;
    return [
      day,
      rule,
      ...HISTORIES.map((history) => `${share(leads[history].medium, leads[history].named)}`),
      share(mean, 1),
      `${(100 * visited).toFixed(3)} %`,
      `${(100 * routed).toFixed(3)} %`,
    ];
  });
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return `## Ahead of the lists

The state of eight lists on a past day, judged by the real scorer: the share at \`medium\` or above of what each list
first named in the 30 days after, and the false alarms of that day. The first day was used for nothing else; rules were
chosen on the other three. Lists that guard have no history and are those of August, and of Maltrail all trails count as
malware, because its history does not name the folder.

${[line(head), `|${head.map((_, index) => (index < 2 ? '---|' : '---:|')).join('')}`, ...rows.map(line)].join('\n')}`;
}
