import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { valueAt, wordIssue } from './word-issue.ts';

/** The sentence about the first problem of a value, as a route would say it. */
function said(schema: z.ZodType, sent: unknown): string {
  const parsed = schema.safeParse(sent, {
    error: (issue) => wordIssue(issue, valueAt(sent, issue.path ?? [])),
  });
  return parsed.error?.issues[0]?.message ?? 'accepted';
}

const field = (name: string, schema: z.ZodType) => z.object({ [name]: schema });
const long = 'x'.repeat(500);

test.each([
  ['missing text', z.object({ a: z.string() }), {}, 'This is missing. Send text.'],
  ['a missing number', z.object({ a: z.number() }), {}, 'This is missing. Send a number.'],
  ['a missing option', z.object({ a: z.enum(['x', 'y']) }), {}, 'This is missing. Send one of x, y.'],
  ['a missing body', z.object({}), undefined, 'This is missing. Send an object.'],
  ['text for a number', z.object({ a: z.number() }), { a: 'seven' }, 'Send a number, not "seven".'],
  ['a coerced number', field('a', z.coerce.number()), { a: 'abc' }, 'Send a number, not "abc".'],
  ['a number for text', z.object({ a: z.string() }), { a: 7 }, 'Send text, not 7.'],
  ['a list for text', z.object({ a: z.string() }), { a: [1, 2] }, 'Send text, not a list of 2.'],
  ['null for an object', z.object({ a: z.object({}) }), { a: null }, 'Send an object, not null.'],
  ['an object for a list', z.object({ a: z.array(z.string()) }), { a: {} }, 'Send a list, not an object.'],
  ['text for a boolean', z.object({ a: z.boolean() }), { a: 'yes' }, 'Send true or false, not "yes".'],
  ['a fraction', z.object({ a: z.int() }), { a: 1.5 }, 'Send a whole number, not 1.5.'],
  ['a wrong option', z.enum(['json', 'csv']), 'xml', 'Send one of json, csv, not "xml".'],
  ['a wrong literal', z.literal(true), 'no', 'Send true, not "no".'],
  ['too long a text', z.string().max(5), 'abcdefg', 'Send at most 5 characters, not 7.'],
  ['too short a text', z.string().min(1), '', 'Send at least 1 character, not 0.'],
  ['text of another length', z.string().length(2), 'abc', 'Send exactly 2 characters, not 3.'],
  ['too many items', z.array(z.string()).max(1), ['a', 'b'], 'Send at most 1 item, not 2.'],
  ['too few items', z.array(z.string()).min(2), [], 'Send at least 2 items, not 0.'],
  ['too large a number', z.number().max(100), 250, 'Send at most 100, not 250.'],
  ['too small a number', z.number().min(1), -3, 'Send at least 1, not -3.'],
  ['a number at an open bound', z.number().lt(10), 10, 'Send less than 10, not 10.'],
  [
    'a coerced number out of range',
    field('a', z.coerce.number().max(9)),
    { a: '10' },
    'Send at most 9, not "10".',
  ],
  ['a number between steps', z.number().multipleOf(5), 7, 'Send a multiple of 5, not 7.'],
  ['no e-mail address', z.email(), 'a@', 'Send an e-mail address such as name@example.com, not "a@".'],
  ['no URL', z.url(), 'example', 'Send a URL such as https://example.com/, not "example".'],
  ['no time', z.iso.datetime(), 'now', 'Send a time with its zone such as 2026-08-22T12:00:00Z, not "now".'],
  ['no day', z.iso.date(), '1.1.', 'Send a day such as 2026-08-22, not "1.1.".'],
  ['another beginning', z.string().startsWith('key_'), 'k', 'Send text that starts with key_, not "k".'],
  [
    'an unknown form',
    z.string().regex(/^a$/),
    'b',
    'Send text of the form that the description at /openapi.json names, not "b".',
  ],
  ['an unknown field', z.strictObject({}), { b: 1 }, 'Leave out "b": no such field exists here.'],
  ['unknown fields', z.strictObject({}), { b: 1, c: 2 }, 'Leave out "b", "c": no such fields exist here.'],
  ['neither of two kinds', z.union([z.string(), z.number()]), true, 'Send text or a number, not true.'],
  [
    'no form of a union',
    z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    {},
    'Send one of the forms that /openapi.json describes, not an object.',
  ],
  [
    'a wrong name of a field',
    z.record(z.string().max(1), z.string()),
    { ab: 'c' },
    'Send only names of fields that the description at /openapi.json allows.',
  ],
  [
    'what a rule refuses',
    z.string().refine(() => false),
    'x',
    'Send a value that the description at /openapi.json allows, not "x".',
  ],
  ['a sentence of the contract', z.string().max(1, 'Send one letter.'), 'ab', 'Send one letter.'],
])('%s', (_name, schema, sent, sentence) => {
  expect(said(schema, sent)).toBe(sentence);
});

describe('what came is repeated only when it is short and harmless', () => {
  test('a long text is named by its length', () => {
    expect(said(z.number(), long)).toBe('Send a number, not a text of 500 characters.');
  });

  test('control characters, bidirectional marks, quotes and backslashes do not survive', () => {
    expect(said(z.number(), 'a\u001b[2J\u202e"\\\nb')).toBe('Send a number, not "a?[2J????b".');
  });

  test.each(['apiSecret', 'password', 'sessionToken', 'apiKey', 'sha1'])(
    'the value of %s is not repeated',
    (name) => {
      expect(said(field(name, z.email()), { [name]: 'hunter2' })).not.toContain('hunter2');
      expect(said(field(name, z.string()), { [name]: 4711 })).not.toContain('4711');
    },
  );

  test('of many unknown fields a few are named, each shortened', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, nth) => [`${nth}${long}`, 1]));
    const sentence = said(z.strictObject({}), many);
    expect(sentence).toMatch(/ and 295 more: no such fields exist here\.$/);
    expect(sentence.length).toBeLessThan(400);
  });

  test('all 22 formats of a list would be named', () => {
    const formats = Array.from({ length: 22 }, (_, nth) => `format-${nth}`) as [string, ...string[]];
    expect(said(z.enum(formats), 'zzz')).toMatch(/^Send one of format-0, .*format-21, not "zzz"\.$/);
  });

  test('of many options a few are named', () => {
    const options = Array.from({ length: 50 }, (_, nth) => `option-${nth}`) as [string, ...string[]];
    expect(said(z.enum(options), 'x')).toMatch(/option-39 and 10 more, not "x"\.$/);
  });

  test('inherited fields are not taken for what came', () => {
    expect(said(field('constructor', z.number()), {})).toMatch(/^This is missing/);
  });
});
