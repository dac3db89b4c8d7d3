import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { assertBounded, isBoundedPattern } from './bounded.ts';
import type { Policy } from './policy.ts';
import { type Route, route } from './route.ts';

const policy = { surface: 'api', auth: 'public' } as Policy;
const taking = (body: z.ZodType): readonly Route[] => [
  route({
    method: 'POST',
    path: '/x',
    summary: '',
    tags: [],
    policy,
    body,
    reply: z.any(),
    handle: () => null,
  }),
];

describe('every string and array that enters has a maximum', () => {
  test.each([
    ['a string', z.object({ name: z.string() })],
    ['a string inside a list', z.array(z.string()).max(3)],
    ['a list', z.object({ list: z.array(z.string().max(3)) })],
    ['a choice', z.union([z.string().max(3), z.array(z.int())])],
    ['a transform', z.string().transform(Number)],
    ['a named shape', z.object({ inner: z.object({ text: z.string() }).meta({ id: 'BoundedTestInner' }) })],
    ['a map key', z.record(z.string(), z.int())],
    ['an address without a length', z.email()],
    ['anything at all', z.object({ payload: z.unknown() })],
  ])('%s without a maximum stops the start', (_, schema) => {
    expect(() => assertBounded(taking(schema))).toThrow(/POST \/x body.*without a maximum|any shape/);
  });

  test.each([
    ['lengths', z.object({ name: z.string().max(5), list: z.array(z.string().length(2)).max(3) })],
    ['words', z.object({ word: z.enum(['a', 'b']), one: z.literal('x') })],
    [
      'an expression that is bounded itself',
      z.object({ code: z.string().regex(/^[0-9a-f]{32,64}$/), id: z.uuid() }),
    ],
    ['numbers and booleans', z.object({ n: z.coerce.number().max(5), b: z.boolean() })],
    ['a stated reason', z.object({ payload: z.unknown().meta({ boundedBy: 'bodyMax' }) })],
  ])('%s are enough', (_, schema) => {
    expect(() => assertBounded(taking(schema))).not.toThrow();
  });

  test('all problems are named at once', () => {
    const schema = z.object({ a: z.string(), b: z.array(z.int()) });
    expect(() => assertBounded(taking(schema))).toThrow(/body\.a.*\n.*body\.b/);
  });

  test.each([
    ['^[a-z]{1,5}$', true],
    ['^[a-z*+]{2}$', true],
    ['^\\+\\d{3}$', true],
    ['^\\d+$', false],
    ['^a*$', false],
    ['^a{2,}$', false],
    ['[a-z]{1,5}', false],
    ['^a|b$', false],
  ])('%s is bounded: %s', (source, bounded) => {
    expect(isBoundedPattern(source)).toBe(bounded);
  });
});
