import type { LevelCounts } from './level-counts.ts';
import type { Accuracy } from './measure.ts';

const LEVELS = ['inconclusive', 'low', 'medium', 'high', 'critical'] as const;
const count = (value: number): string => value.toLocaleString('en-US');
const share = (part: number, whole: number, digits = 3): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(digits)} %`;

/** Section that shows for each level the observed shares of entries, because a level is no probability. */
export function ratesSection({ visits, levels, c2Order }: Accuracy): string {
  const { visited, routed } = visits;
  const listed = levels.domain as LevelCounts;
  const rows = LEVELS.map((level) =>
    [
      level,
      count(listed[level]),
      count(visited.listed[level]),
      share(visited.listed[level], listed[level]),
      share(visited.levels[level], visited.hosts),
      share(routed.levels[level], routed.addresses),
    ].join(' | '),
  );
  return `## Observed rates of each level

Of ${count(visited.hosts)} hosts that people visit (a fifth of those in a public report of browsers; for evaluation alone, never a
guard) and of ${count(routed.addresses)} addresses of routed networks that no list names. The lower the share of visited
names among the listed ones of a level, the fewer honest sites stand there.

| level | listed domains | of them visited | share | of all visited hosts | of routed addresses |
|---|---:|---:|---:|---:|---:|
${rows.map((row) => `| ${row} |`).join('\n')}

Of ${count(c2Order.addresses)} C2 addresses of ThreatFox, ${count(c2Order.inverted)} have a higher score than a younger one that the same sources name.`;
}
