import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rate, SignalDay } from './signals.ts';

const RESULTS = join(import.meta.dirname, '../results/signals.json');

export const keepSignals = (measured: readonly SignalDay[]): void =>
  writeFileSync(RESULTS, `${JSON.stringify(measured, null, 1)}\n`);

export const readSignalDays = (): readonly SignalDay[] =>
  JSON.parse(readFileSync(RESULTS, 'utf8')) as readonly SignalDay[];

const percent = (part: number, whole: number, digits = 1): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(digits)} %`;
const rate = ({ listed, unlisted }: Rate): string => percent(listed, unlisted, 3);
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const rule = (columns: number): string => `|---|${'---:|'.repeat(columns - 1)}`;

export function signalLines(measured: readonly SignalDay[]): readonly string[] {
  return measured.flatMap(({ day, rates, ahead, curve }) => [
    ...Object.entries(rates).map(
      ([name, of]) => `signals ${day}: ${name} ${of.unlisted} unlisted, ${rate(of)} listed within 30 days`,
    ),
    ...curve.map(
      ({ visited, foreseen }) =>
        `signals ${day}: names at ${percent(visited, 1, 2)} of visited hosts foresee ${percent(foreseen, ahead.own)} of own domains`,
    ),
  ]);
}

export function signalsSection(measured: readonly SignalDay[]): string {
  const days = measured.map(({ day }) => day);
  const crowds = [
    ['some listed neighbours', 'some'],
    ['dense', 'dense'],
    ['very dense', 'veryDense'],
  ] as const;
  const shares = measured[0]?.curve.map(({ visited }) => visited) ?? [];
  return `## What a signal means

The share of unlisted addresses that one of the lists named within 30 days, by how crowded their network is:

${line(['network', ...days])}
${rule(days.length + 1)}
${crowds.map(([title, name]) => line([title, ...measured.map(({ rates }) => rate(rates[name]))])).join('\n')}

What other thresholds of the name table would foresee: the share of the own domains that PhishTank first named in the 30
days after, by the share of visited hosts that would be flagged. Names below platforms, where ${percent(
    measured.reduce((sum, { ahead }) => sum + ahead.tenant, 0),
    measured.reduce((sum, { ahead }) => sum + ahead.own + ahead.tenant, 0),
    0,
  )} of these hosts stand, raise
no signal: the lists of good names that may be used hold too few of them to set a threshold.

${line(['visited hosts flagged', ...days])}
${rule(days.length + 1)}
${shares
  .map((share, at) =>
    line([
      percent(share, 1, 2),
      ...measured.map(({ curve, ahead }) => percent(curve[at]?.foreseen ?? 0, ahead.own)),
    ]),
  )
  .join('\n')}`;
}
