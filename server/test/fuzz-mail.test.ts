import { expect, test } from 'vitest';
import { fuzzMail } from './fuzz/fuzz-mail-run.ts';

test('no mutated message breaks the reader or the judge (2 seconds; `npm run fuzz:mail` for longer)', {
  timeout: 60_000,
}, async () => {
  const { failures, executions } = await fuzzMail({ seconds: 2, seed: 20_261_117, save: false });
  expect(failures).toEqual([]);
  expect(executions).toBeGreaterThan(10);
});
