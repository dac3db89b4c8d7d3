import { describe, expect, test } from 'vitest';
import { asOpenApi30, oldSchema } from './openapi-30.ts';

const REFERENCE = { $ref: '#/components/schemas/Geo' };

describe('a schema in the dialect of OpenAPI 3.0', () => {
  test.each([
    [
      'a type that may be null',
      { type: ['string', 'null'], maxLength: 4 },
      { type: 'string', maxLength: 4, nullable: true },
    ],
    ['several types', { type: ['string', 'integer'] }, { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
    ['one value', { const: 'ip', type: 'string' }, { type: 'string', enum: ['ip'] }],
    ['null alone', { type: 'null' }, { type: 'string', nullable: true, enum: [null] }],
    ['an enum with null', { enum: ['a', null] }, { type: 'string', enum: ['a', null], nullable: true }],
    [
      'a reference or null',
      { anyOf: [REFERENCE, { type: 'null' }] },
      { type: 'object', allOf: [REFERENCE], nullable: true },
    ],
    ['a text or null', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'string', nullable: true }],
    [
      'one of two',
      { oneOf: [REFERENCE, { type: 'null' }, { type: 'string' }] },
      { oneOf: [{ type: 'object', nullable: true, allOf: [REFERENCE] }, { type: 'string' }] },
    ],
    [
      'a reference with words',
      { ...REFERENCE, description: 'Where.' },
      { allOf: [REFERENCE], description: 'Where.' },
    ],
    ['examples', { type: 'string', examples: ['a', 'b'] }, { type: 'string', example: 'a' }],
    [
      'an open bound',
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', minimum: 0, exclusiveMinimum: true },
    ],
    [
      'keys of a record',
      { type: 'object', propertyNames: { maxLength: 9 }, additionalProperties: { const: 1 } },
      { type: 'object', additionalProperties: { enum: [1] } },
    ],
    [
      'fields that have the names of keywords',
      {
        type: 'object',
        properties: { const: { type: ['null', 'string'] }, examples: { type: 'array', items: { const: 2 } } },
      },
      {
        type: 'object',
        properties: {
          const: { type: 'string', nullable: true },
          examples: { type: 'array', items: { enum: [2] } },
        },
      },
    ],
  ])('%s', (_what, schema, expected) => {
    expect(oldSchema(schema)).toEqual(expected);
  });

  test('schemas of parameters, bodies, answers and components change; everything else stays', () => {
    const operation = {
      parameters: [{ name: 'type', in: 'query', schema: { const: 'ip' } }],
      responses: {
        200: {
          description: 'const',
          content: { 'application/json': { schema: { type: ['string', 'null'] } } },
        },
      },
    };
    const old = asOpenApi30({
      openapi: '3.1.0',
      info: { title: 'T', version: '1', license: { name: 'L', identifier: 'I' } },
      paths: { '/a': { get: operation } },
      components: { schemas: { Geo: { const: 1 } }, securitySchemes: { apiKey: { type: 'apiKey' } } },
    });
    expect(old).toMatchObject({
      openapi: '3.0.3',
      info: { license: { url: expect.stringContaining('apache.org') } },
      paths: {
        '/a': {
          get: {
            parameters: [{ name: 'type', schema: { enum: ['ip'] } }],
            responses: {
              200: { description: 'const', content: { 'application/json': { schema: { nullable: true } } } },
            },
          },
        },
      },
      components: { schemas: { Geo: { enum: [1] } }, securitySchemes: { apiKey: { type: 'apiKey' } } },
    });
  });
});
