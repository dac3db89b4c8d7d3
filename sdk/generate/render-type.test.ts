import { describe, expect, test } from 'vitest';
import { renderComment, renderType } from './render-type.ts';

const answered = { direction: 'answered', prefix: 'S.' } as const;

describe('a JSON schema as a type', () => {
  test.each([
    [{ type: 'string', maxLength: 5 }, 'string'],
    [{ type: 'integer', minimum: 0 }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['a', "it's", 1, null] }, `'a' | 'it\\'s' | 1 | null`],
    [{ const: true, type: 'boolean' }, 'true'],
    [{ $ref: '#/components/schemas/Geo', description: 'x' }, 'S.Geo'],
    [{ $ref: '#/components/schemas/Error' }, 'S.ErrorBody'],
    [{ anyOf: [{ $ref: '#/components/schemas/Geo' }, { type: 'null' }] }, 'S.Geo | null'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, 'readonly (string | null)[]'],
    [
      { type: 'array', items: { type: 'array', items: { type: 'number' } } },
      'readonly (readonly number[])[]',
    ],
    [{}, 'unknown'],
    [{ type: 'object' }, '{ readonly [key: string]: unknown }'],
    [
      { type: 'object', additionalProperties: { type: 'integer' } },
      '{\n  readonly [key: string]: number;\n}',
    ],
    [
      {
        type: 'object',
        propertyNames: { enum: ['a', 'b'] },
        additionalProperties: { type: 'number' },
        required: ['a', 'b'],
      },
      `{ readonly [K in 'a' | 'b']: number }`,
    ],
    [
      { type: 'object', propertyNames: { enum: ['a'] }, additionalProperties: { type: 'number' } },
      `{ readonly [K in 'a']?: number }`,
    ],
    [
      { type: 'object', properties: { a: { type: 'string' }, 'b-c': { type: 'null' } }, required: ['a'] },
      `{\n  readonly a: string;\n  readonly 'b-c'?: null;\n}`,
    ],
  ])('%j', (schema, expected) => {
    expect(renderType(schema, answered)).toBe(expected);
  });

  test('an optional field of a request may be undefined', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    expect(renderType(schema, { direction: 'sent', prefix: '' })).toContain(
      'readonly a?: string | undefined;',
    );
  });

  test('an unknown keyword that would change the type stops the generator', () => {
    for (const schema of [{ allOf: [] }, { prefixItems: [] }, { type: 'file' }])
      expect(() => renderType(schema, answered)).toThrow('The generator');
    expect(() => renderType({ $ref: '#/components/headers/A' }, answered)).toThrow('cannot follow');
  });

  test('a description cannot end its comment', () => {
    expect(renderComment('a */ b', '')).toBe('/** a *\\/ b */\n');
  });
});

test('a field that must not be sent has the type never', () => {
  expect(renderType({ not: {} }, answered)).toBe('never');
  expect(() => renderType({ not: { type: 'string' } }, answered)).toThrow('allows something');
});
