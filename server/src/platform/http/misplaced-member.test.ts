import { expect, test } from 'vitest';
import { z } from 'zod';
import { misplacedMembers } from './misplaced-member.ts';
import { parsePart } from './validate.ts';

const Context = z
  .object({ trust: z.boolean().optional(), hops: z.int().min(1).max(9).optional() })
  .meta({ id: 'ContextOfATest' });
const Body = z.object({
  eml: z.string().max(9).optional(),
  context: Context.optional(),
  labels: z.record(z.string().max(9), z.string().max(9)).optional(),
  rows: z
    .array(z.object({ name: z.string().max(9) }))
    .max(9)
    .optional(),
});
const found = (sent: unknown) =>
  misplacedMembers(Body, sent).map(({ path, message }) => `${path}: ${message}`);

test('a member in the wrong object is refused with its right place, in both directions', () => {
  expect(found({ eml: 'x', trust: true })).toEqual([
    'trust: This belongs in another place. Send it as context.trust.',
  ]);
  expect(found({ context: { eml: 'x' } })).toEqual([
    'context.eml: This belongs in another place. Send it as eml.',
  ]);
});

test('members of no object, of lists and of free names are left alone', () => {
  for (const sent of [
    { eml: 'x', context: { trust: true } },
    { eml: 'x', unknown: 1, name: 'of a row' },
    { labels: { trust: 'x', eml: 'y' } },
    { rows: [{ name: 'x', trust: true }] },
    [],
    'text',
    null,
  ])
    expect(found(sent)).toEqual([]);
  expect(misplacedMembers(z.object({ a: z.string().max(1) }), { b: 1 })).toEqual([]);
});

test('the refusal names it beside what else is wrong, and a query is not looked at', () => {
  const parsed = parsePart('body', Body, { trust: true, eml: 7 });
  expect(parsed.ok ? null : parsed.problem.options.details?.map(({ path }) => path)).toEqual([
    'trust',
    'eml',
  ]);
  expect(parsePart('query', Body, { trust: 'true' }).ok).toBe(true);
});
