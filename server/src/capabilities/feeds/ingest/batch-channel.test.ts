import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchesOf } from './batch-channel.ts';

const collect = async (batches: AsyncIterable<readonly number[]>): Promise<number[]> => {
  const all: number[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
};

test('everything pushed arrives in order, empty batches aside', async () => {
  const batches = batchesOf<number>(async (push) => {
    for (let at = 0; at < 1_000; at += 1) await push(at % 7 === 0 ? [] : [at]);
  });
  expect(await collect(batches)).toEqual(
    Array.from({ length: 1_000 }, (_, at) => at).filter((at) => at % 7 > 0),
  );
});

test('a producer never gets more than two batches ahead', async () => {
  let pushed = 0;
  const batches = batchesOf<number>(async (push) => {
    for (; pushed < 10; pushed += 1) await push([pushed]);
  });
  let taken = 0;
  for await (const _ of batches) {
    taken += 1;
    await nextTurn();
    await nextTurn();
    expect(pushed - taken).toBeLessThanOrEqual(2);
  }
  expect(taken).toBe(10);
});

test('an error of the producer reaches the consumer, after the batches before it', async () => {
  const seen: number[] = [];
  const batches = batchesOf<number>(async (push) => {
    await push([1]);
    throw new Error('the publisher hung up');
  });
  const reading = (async () => {
    for await (const batch of batches) seen.push(...batch);
  })();
  await expect(reading).rejects.toThrow('the publisher hung up');
  expect(seen).toEqual([1]);
});

test('a consumer that leaves ends the producer', async () => {
  let ended: unknown = null;
  const batches = batchesOf<number>(async (push) => {
    try {
      while (true) await push([1]);
    } catch (error) {
      ended = error;
    }
  });
  for await (const _ of batches) break;
  expect(ended).toBeInstanceOf(Error);
});
