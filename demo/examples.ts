import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What the answer about an example looks like; the tests ask the running service. */
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
  /** For people. */
  shows: z.string(),
  expect: z.enum(EXPECTATIONS),
});
export type Example = z.infer<typeof Example>;

/** Values to try, the most telling ones first. */
export const readExamples = (): readonly Example[] =>
  z.array(Example).parse(JSON.parse(readFileSync(join(import.meta.dirname, 'examples.json'), 'utf8')));
