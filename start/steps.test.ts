import { expect, test } from 'vitest';
import { startSteps } from './steps.ts';

const written = (isTTY: boolean) => {
  const lines: string[] = [];
  const clock = { ms: 0 };
  const steps = startSteps({ isTTY, write: (text) => lines.push(text) }, () => clock.ms);
  return { lines, steps, clock };
};

test('without a terminal progress is a line after eight seconds of silence, and not before', () => {
  const { lines, steps, clock } = written(false);
  clock.ms = 7_999;
  steps.doing('1 of 9');
  expect(lines).toEqual([]);
  clock.ms = 8_000;
  steps.doing('2 of 9');
  clock.ms = 13_000;
  steps.doing('3 of 9');
  steps.say('half');
  clock.ms = 20_000;
  steps.doing('4 of 9');
  clock.ms = 21_000;
  steps.doing('5 of 9');
  expect(lines).toEqual(['[  8.0 s] 2 of 9\n', '[ 13.0 s] half\n', '[ 21.0 s] 5 of 9\n']);
});

test('on a terminal every progress replaces the line before it', () => {
  const { lines, steps } = written(true);
  steps.doing('1 of 9');
  steps.doing('2 of 9');
  expect(lines).toEqual(['\r\u001b[K[  0.0 s] 1 of 9', '\r\u001b[K[  0.0 s] 2 of 9']);
});
