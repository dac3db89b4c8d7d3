import { describe, expect, test } from 'vitest';
import { keepValue } from './kept-value.ts';

function counted(answer: () => Promise<number>, staleMs = 0) {
  const state = { nowMs: 0, asked: 0 };
  const read = keepValue({
    clock: { monotonic: () => state.nowMs },
    freshMs: 100,
    staleMs,
    load: () => {
      state.asked += 1;
      return answer();
    },
  });
  return { state, read };
}

describe('a kept value', () => {
  test('concurrent callers share one load, and a fresh value is not loaded again', async () => {
    const { state, read } = counted(async () => 7);
    expect(await Promise.all([read(), read(), read()])).toEqual([7, 7, 7]);
    state.nowMs = 99;
    await read();
    expect(state.asked).toBe(1);
    state.nowMs = 100;
    await read();
    expect(state.asked).toBe(2);
  });

  test('a failure is passed on, and the next caller loads again', async () => {
    let fails = true;
    const { state, read } = counted(async () => {
      if (fails) throw new Error('away');
      return 1;
    });
    await expect(read()).rejects.toThrow('away');
    fails = false;
    expect(await read()).toBe(1);
    expect(state.asked).toBe(2);
  });

  test('an older value replaces a failure until it is too old', async () => {
    let fails = false;
    const { state, read } = counted(async () => {
      if (fails) throw new Error('away');
      return 1;
    }, 500);
    await read();
    fails = true;
    state.nowMs = 499;
    expect(await read()).toBe(1);
    state.nowMs = 500;
    await expect(read()).rejects.toThrow('away');
  });
});
