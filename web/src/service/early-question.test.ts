import { expect, test } from 'vitest';
import { createEarlyQuestion } from './early-question.ts';

test('what was asked early is answered once; whoever asks after that asks anew', async () => {
  let asked = 0;
  const question = createEarlyQuestion(() => Promise.resolve(++asked));
  expect(question.take()).toBeNull();
  question.ask();
  await expect(question.take()).resolves.toBe(1);
  expect(question.take()).toBeNull();
  expect(asked).toBe(1);
});

test('a failure is told to whoever takes it, and to nobody else', async () => {
  const question = createEarlyQuestion(() => Promise.reject(new Error('away')));
  question.ask();
  await new Promise((settled) => setTimeout(settled));
  await expect(question.take()).rejects.toThrow('away');
});
