import { expect, test } from 'vitest';
import { createLog } from '#platform/log.ts';
import type { Replica } from '#platform/replica/reader.ts';
import { eventually } from '#test/eventually.ts';
import { openLate } from './late-replica.ts';

const silent = createLog('silent');

test('a replica that fails to open at once leaves the process free to answer /livez: attempts have pauses between them', async () => {
  let attempts = 0;
  const late = openLate('access', silent, async () => {
    attempts += 1;
    throw new Error('no such folder');
  });
  // Without pauses the retries would be microtasks, and this timer would never fire.
  await new Promise((resolve) => setTimeout(resolve, 50));
  await late.close();
  expect(attempts).toBe(1);
  expect(late.isOpen).toBe(false);
});

test('closing ends the retries, and a replica that opens later than that is closed', async () => {
  const opening = Promise.withResolvers<Replica>();
  let closed = false;
  const late = openLate('access', silent, () => opening.promise);
  await late.close();
  opening.resolve({
    close: async () => {
      closed = true;
    },
  } as Replica);
  await eventually('the late replica is closed', 10_000, async () => closed);
});

test('a replica that opens at the second attempt serves from then on', async () => {
  const view = { seq: 7 };
  let attempts = 0;
  const late = openLate('access', silent, async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('not verified yet');
    return { view: () => view, close: async () => undefined } as unknown as Replica;
  });
  expect(() => late.view()).toThrow(/still loading/);
  await eventually('the replica is open', 10_000, async () => late.isOpen);
  expect(late.view()).toBe(view);
  await late.close();
});
