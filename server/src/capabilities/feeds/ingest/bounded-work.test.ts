import { expect, test } from 'vitest';
import { withBoundedWork } from './bounded-work.ts';

const burn = (cpuMs: number) => () => {
  const start = process.threadCpuUsage();
  let spent = { user: 0, system: 0 };
  while (spent.user + spent.system < cpuMs * 1_000) spent = process.threadCpuUsage(start);
};

test('a piece of a file that takes more work than is allowed ends the run of its file', () => {
  expect(() => withBoundedWork(burn(40), 10)).toThrow(/took \d+\.\d s of processor time/);
});

test('a piece within the limit is read', () => {
  let isRead = false;
  withBoundedWork(() => {
    isRead = true;
  });
  expect(isRead).toBe(true);
});
