import { expect, test } from 'vitest';
import { namedSeconds, type ProcessTimes, parseStat, treeSeconds } from './cpu-seconds.ts';

const process = (pid: number, parent: number, own: number, ended = 0, name = 'node'): ProcessTimes => ({
  pid,
  parent,
  name,
  ownSeconds: own,
  endedChildrenSeconds: ended,
});

test('a name with spaces and parentheses does not shift the fields of /proc/PID/stat', () => {
  const line = '71 (tmux: (a) b) S 7 71 71 0 -1 4194560 1 2 3 4 150 50 300 25 20 0 11 0 9 0 0';
  expect(parseStat(line)).toEqual({
    pid: 71,
    parent: 7,
    name: 'tmux: (a) b',
    ownSeconds: 2,
    endedChildrenSeconds: 3.25,
  });
});

test('the cost of a file counts its worker, children that have ended and descendants that still run', () => {
  const processes = [
    process(1, 0, 100),
    process(2, 1, 3, 4),
    process(3, 2, 5),
    process(4, 3, 0.5),
    process(9, 1, 7),
  ];
  expect(treeSeconds(2, processes)).toBe(12.5);
});

test('an engine is found by its name wherever it was started', () => {
  const processes = [process(1, 0, 1), process(5, 1, 2, 10, 'postgres'), process(6, 5, 4, 0, 'postgres')];
  expect(namedSeconds('postgres', processes)).toBe(16);
});
