import { expect, test } from 'vitest';
import { startSteps } from './steps.ts';

const written = (isTTY: boolean) => {
  const lines: string[] = [];
  const clock = { ms: 0 };
  const steps = startSteps({ isTTY, write: (text) => lines.push(text) }, () => clock.ms);
  return { lines, steps, clock };
};

test('without a terminal progress is a line after ten seconds of silence, and not before', () => {
  const { lines, steps, clock } = written(false);
  clock.ms = 9_999;
  steps.update('1 of 9');
  expect(lines).toEqual([]);
  clock.ms = 10_000;
  steps.update('2 of 9');
  clock.ms = 15_000;
  steps.update('3 of 9');
  steps.say('half');
  clock.ms = 24_000;
  steps.update('4 of 9');
  clock.ms = 25_000;
  steps.update('5 of 9');
  expect(lines).toEqual(['[ 10.0 s] 2 of 9\n', '[ 15.0 s] half\n', '[ 25.0 s] 5 of 9\n']);
});

test('on a terminal every progress replaces the line before it', () => {
  const { lines, steps } = written(true);
  steps.update('1 of 9');
  steps.update('2 of 9');
  expect(lines).toEqual(['\r\u001b[K[  0.0 s] 1 of 9', '\r\u001b[K[  0.0 s] 2 of 9']);
});
