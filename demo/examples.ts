import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The kinds of answers that the examples show; the tests check them against the running service. */
export const EXPECTATIONS = [
  'malicious',
  'suspicious',
  'known-good',
  'unknown',
  'contradictory',
  'fading',
] as const;

const Example = z.strictObject({
  value: z.string(),
  type: z.enum(['ip', 'domain', 'url', 'hash']),
  shows: z.string(),
  expect: z.enum(EXPECTATIONS),
});
export type Example = z.infer<typeof Example>;

export const readExamples = (): readonly Example[] =>
  z.array(Example).parse(JSON.parse(readFileSync(join(import.meta.dirname, 'examples.json'), 'utf8')));
