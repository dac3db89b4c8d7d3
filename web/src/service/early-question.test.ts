import { expect, test } from 'vitest';
import { createEarlyQuestion } from './early-question.ts';

test('an early question is answered once; later callers ask again', async () => {
  let asked = 0;
  const question = createEarlyQuestion(() => Promise.resolve(++asked));
  expect(question.take()).toBeNull();
  question.ask();
  await expect(question.take()).resolves.toBe(1);
  expect(question.take()).toBeNull();
  expect(asked).toBe(1);
});

test('a failure is thrown to the caller that takes it, and causes no unhandled rejection', async () => {
  const question = createEarlyQuestion(() => Promise.reject(new Error('away')));
  question.ask();
  await new Promise((settled) => setTimeout(settled));
  await expect(question.take()).rejects.toThrow('away');
});
