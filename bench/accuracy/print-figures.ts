import { gatesOf } from './gates.ts';
import { atLeast } from './level-counts.ts';
import type { Accuracy } from './measure.ts';
import { NEGATIVE_SETS } from './negatives.ts';
import { policiesOf } from './policies.ts';

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;
const columns = (cells: readonly (string | number)[], widths: readonly number[]): string =>
  cells
    .map((cell, index) =>
      index === 0 ? String(cell).padEnd(widths[0] ?? 0) : String(cell).padStart(widths[index] ?? 0),
    )
    .join('  ');

export function tablesOf(accuracy: Accuracy): readonly string[] {
  const { negatives } = accuracy;
  const widths = [30, 8, 8, 8, 8, 8, 8, 8];
  return [
    columns(['set', 'entries', 'any', 'two', 'low', 'medium', 'high', 'critical'], widths),
    ...NEGATIVE_SETS.map((name) => {
      const { entries, policies, levels } = negatives[name];
      const { anyList, twoLists } = policies;
      return columns(
        [name, entries, anyList, twoLists, levels.low, levels.medium, levels.high, levels.critical],
        widths,
      );
    }),
    '',
    columns(['rule', 'caught, mean', 'caught, all', 'cloudflare-100k'], [30, 14, 14, 16]),
    ...policiesOf(accuracy).map(({ name, caughtMean, caughtAll, alarms }) =>
      columns([name, percent(caughtMean), percent(caughtAll), alarms('cloudflare-100k')], [30, 14, 14, 16]),
    ),
    '',
  ];
}

export function figuresOf(accuracy: Accuracy): readonly string[] {
  const { negatives, sums, timings, keys, accused, c2Order } = accuracy;
  const figures: [string, number][] = [
    ['keys', keys],
    ['accused', accused],
    ...gatesOf(accuracy).map(({ name, measured }): [string, number] => [name, measured]),
    ...policiesOf(accuracy).flatMap(({ name, caughtMean, caughtAll }): [string, number][] => {
      const word = name.replace(/^score, /, '').replaceAll(' ', '-');
      return [
        [`caught-mean-${word}`, Number(caughtMean.toFixed(4))],
        [`caught-all-${word}`, Number(caughtAll.toFixed(4))],
      ];
    }),
    ['tor-exits-medium', atLeast(negatives['tor-exits'].levels, 'medium')],
    ['c2-groups', c2Order.groups],
    ['sums-exact-share', sums.exact / sums.judged],
    ['assess-p50-us', timings.p50Us],
    ['assess-p99-us', timings.p99Us],
    ['walk-seconds', Number(timings.walkSeconds.toFixed(1))],
  ];
  return figures.map(([name, value]) => `accuracy ${name} ${value}`);
}
