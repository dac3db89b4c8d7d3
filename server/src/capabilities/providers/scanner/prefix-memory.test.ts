import { expect, test } from 'vitest';
import { createPrefixMemory } from './prefix-memory.ts';

const entry = (untilMs: number) => ({ threatsOf: new Map(), untilMs });

test('the least recently used prefix is dropped first', () => {
  const memory = createPrefixMemory(2);
  memory.set('a', entry(100));
  memory.set('b', entry(100));
  expect(memory.get('a', 0)).not.toBeNull();
  memory.set('c', entry(100));
  expect(memory.get('b', 0)).toBeNull();
  expect(memory.get('a', 0)).not.toBeNull();
  expect(memory.get('c', 0)).not.toBeNull();
});

test('an entry expires on time', () => {
  const memory = createPrefixMemory();
  memory.set('a', entry(100));
  expect(memory.get('a', 99)).not.toBeNull();
  expect(memory.get('a', 100)).toBeNull();
});
