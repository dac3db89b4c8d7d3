import { expect, test } from 'vitest';
import { AnswerMemory, type MemoryEntry } from './answer-memory.ts';

const entry = (bytes = 10): MemoryEntry => ({
  outcome: { state: 'absent', fetchedAtMs: 0 },
  freshUntilMs: 1,
  staleUntilMs: 1,
  bytes,
});

test('the least recently used answers are dropped first', () => {
  const memory = new AnswerMemory(3, 1_000_000);
  for (const id of ['a', 'b', 'c']) memory.set(id, entry());
  memory.find('a');
  memory.set('d', entry());
  expect(['a', 'b', 'c', 'd'].filter((id) => memory.find(id) !== undefined)).toEqual(['a', 'c', 'd']);
});

test('its size is bounded for any entries, and replacing one does not count it twice', () => {
  const memory = new AnswerMemory(1_000, 10_000);
  for (let each = 0; each < 500; each += 1) {
    memory.set(`k${each % 50}`, entry(each * 13));
    expect(memory.bytes).toBeLessThanOrEqual(10_000);
  }
  memory.set('huge', entry(20_000));
  expect(memory.size).toBe(0);
  expect(memory.bytes).toBe(0);
});
