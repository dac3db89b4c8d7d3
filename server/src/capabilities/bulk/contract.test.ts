import { describe, expect, test } from 'vitest';
import { ALL_PLANS, BulkBody } from './contract.ts';

const issuesOf = (body: unknown) => {
  const parsed = BulkBody.safeParse(body);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
};

describe('the body of POST /bulk/check', () => {
  test('G19: an item that is not a string or is too long is named by its index; only the first one', () => {
    expect(issuesOf({ entities: ['a.com', 7, null] })).toEqual([
      { path: 'entities.1', message: 'Send text, not a value of type number.' },
    ]);
    expect(issuesOf({ entities: ['a.com', 'b.com', 'x'.repeat(2_049)] })).toEqual([
      { path: 'entities.2', message: 'Send at most 2048 characters, not 2049.' },
    ]);
    expect(issuesOf({ entities: ['x'.repeat(2_048)] })).toEqual([]);
  });

  test('of half a million bad items only the first is examined', () => {
    const entities = Array.from({ length: 500_000 }, () => 1);
    expect(issuesOf({ entities })).toHaveLength(1);
  });

  test('nothing to check, no list, an unknown format, level or country are refused', () => {
    expect(issuesOf({ entities: [] })).toEqual([{ path: 'entities', message: 'Send at least one entity.' }]);
    for (const [field, body] of [
      ['entities', {}],
      ['entities', { entities: 'a.com' }],
      ['format', { entities: ['a.com'], format: 'xml' }],
      ['enrichment', { entities: ['a.com'], enrichment: 'deep' }],
      ['country', { entities: ['a.com'], country: 'Germany' }],
    ] as const)
      expect(issuesOf(body), field).toMatchObject([{ path: field }]);
  });

  test('unknown fields are ignored, defaults are standard and json (decisions 1.1)', () => {
    expect(BulkBody.parse({ entities: ['a.com'], note: 'mine', country: 'de' })).toMatchObject({
      submitted: 1,
      enrichment: 'standard',
      format: 'json',
    });
  });

  test('the entities are parsed once, for both the meter and the check', () => {
    const body = BulkBody.parse({ entities: ['a.com'] });
    expect(body.batch()).toBe(body.batch());
  });
});

test('G57: the cap of each subscription', () => {
  expect(ALL_PLANS).toEqual({
    FREE: 10,
    BASIC_MONTHLY: 50,
    BASIC_YEARLY: 50,
    PRO_MONTHLY: 100,
    PRO_YEARLY: 100,
    ENTERPRISE_MONTHLY: 500,
    ENTERPRISE_YEARLY: 500,
  });
});
