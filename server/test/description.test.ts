import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ACTIONS } from '#app/action-operations.ts';
import { describeRoutes } from '#app/build-app.ts';
import { describeOperatorRoutes } from '#app/build-operators.ts';
import { readSampleAnswers } from '#app/read-sample-answers.ts';
import { TAG_DESCRIPTIONS } from '#app/tag-descriptions.ts';
import { describeApi, describeOperatorApi } from '#platform/http/openapi.ts';
import { describeActions } from '#platform/http/openapi-actions.ts';

type Json = Readonly<Record<string, unknown>>;

const routes = describeRoutes();
const whole = describeApi(routes, {
  apiUrl: 'https://api.test',
  webUrl: 'https://web.test',
  samples: readSampleAnswers(),
  tags: TAG_DESCRIPTIONS,
});
const operators = describeOperatorApi(describeOperatorRoutes(), { url: '/', tags: TAG_DESCRIPTIONS });
const actions = describeActions(whole, ACTIONS, '3.1') as unknown as typeof whole;
const oldActions = describeActions(whole, ACTIONS, '3.0') as unknown as typeof whole;
const documents: readonly (readonly [string, typeof whole])[] = [
  ['/openapi.json', whole],
  ["/openapi.json of the operators' listener", operators],
  ['/openapi-actions.json', oldActions],
  ['/openapi-actions.json?version=3.1', actions],
];

/** Calls `see` for every object of a document, examples left out, with its JSON pointer. */
function walk(value: unknown, see: (part: Json, pointer: string) => void, pointer = '#'): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) see(value as Json, pointer);
  for (const [key, inner] of Object.entries(value))
    if (!/^(?:x-.*|examples?|default)$/.test(key)) walk(inner, see, `${pointer}/${key}`);
}

/** Where in a document a part has a fault. */
function pointersOf(
  document: unknown,
  isFaulty: (part: Json, pointer: string) => boolean,
): readonly string[] {
  const found: string[] = [];
  walk(document, (part, pointer) => {
    if (isFaulty(part, pointer)) found.push(pointer);
  });
  return found;
}

function patternsOf(document: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  walk(document, ({ pattern }, pointer) => {
    if (typeof pattern === 'string') found.set(pattern, pointer);
  });
  return found;
}

const operationsOf = (document: typeof whole) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

const COMPILE = `
import json, re, sys
for pattern, pointer in json.load(sys.stdin).items():
    try:
        re.compile(pattern)
    except re.error as error:
        print(pointer, pattern, error)
`;

describe.each(documents)('%s', (name, document) => {
  test('every pattern compiles in JavaScript, with the flag of JSON Schema validators and without', () => {
    const patterns = patternsOf(document);
    expect(patterns.size).toBeGreaterThan(1);
    for (const [pattern, pointer] of patterns) {
      expect(() => new RegExp(pattern), pointer).not.toThrow();
      expect(() => new RegExp(pattern, 'u'), pointer).not.toThrow();
    }
  });

  test('every pattern compiles in Python 3', ({ skip }) => {
    const input = JSON.stringify(Object.fromEntries(patternsOf(document)));
    const python = spawnSync('python3', ['-c', COMPILE], { input, encoding: 'utf8' });
    skip(python.error !== undefined, 'python3 is not installed');
    expect([python.stdout, python.stderr]).toEqual(['', '']);
  });

  test('each tag says what its routes are about, and no two differ by their case alone', () => {
    for (const tag of document.tags) expect(tag.description, tag.name).toMatch(/^[A-Z].{15,}\.$/);
    const names = document.tags.map((tag) => tag.name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
  });

  test('the license is named, and no enum has a value twice', () => {
    expect(document.info.license.name).toBe('Apache License 2.0');
    const doubled = pointersOf(
      document,
      ({ enum: values }) => Array.isArray(values) && new Set(values).size < values.length,
    );
    expect(doubled).toEqual([]);
  });

  test('a required field is a field of its schema', () => {
    const lacking = pointersOf(
      document,
      ({ required, properties = {} }) =>
        Array.isArray(required) &&
        required.some((field) => !Object.hasOwn(properties as Json, field as string)),
    );
    expect(lacking).toEqual([]);
  });

  test('every component is used, and every reference leads to one', () => {
    const named = Object.entries(document.components).flatMap(([group, members]) =>
      group === 'securitySchemes' ? [] : Object.keys(members).map((member) => `${group}/${member}`),
    );
    const used = new Set<string>();
    walk(document, ({ $ref }) => {
      if (typeof $ref === 'string') used.add($ref.replace('#/components/', ''));
    });
    expect([...used].toSorted()).toEqual(named.toSorted());
  });

  test('no example has a reference, because readers follow references wherever they find one', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to);
    expect(references.filter((to) => !to?.startsWith('#/components/'))).toEqual([]);
  });

  test('every operation has an answer below 400 and one above, and names its credentials', () => {
    const schemes = Object.keys(document.components.securitySchemes ?? {});
    for (const { operation } of operationsOf(document)) {
      const statuses = Object.keys(operation.responses);
      expect(statuses, operation.operationId).toContainEqual(expect.stringMatching(/^[23]/));
      expect(statuses, operation.operationId).toContainEqual(expect.stringMatching(/^4/));
      expect(schemes).toEqual(expect.arrayContaining(operation.security.flatMap(Object.keys)));
    }
    expect(name).toBeDefined();
  });
});

/** The string fields of requests that the description gives a pattern, with the schema that the service applies. */
function patternedInputs(): readonly {
  readonly at: string;
  readonly field: z.ZodType;
  readonly pattern: string;
}[] {
  return routes.flatMap(({ method, path, query, params, body }) =>
    [query, params, body].flatMap((schema) => {
      const found: { at: string; field: z.ZodType; pattern: string }[] = [];
      if (schema === undefined) return found;
      z.toJSONSchema(schema, {
        io: 'input',
        unrepresentable: 'any',
        override: ({ zodSchema, jsonSchema, path: at }) => {
          if (typeof jsonSchema.pattern === 'string')
            found.push({
              at: `${method} ${path} ${at.join('.')}`,
              field: zodSchema as unknown as z.ZodType,
              pattern: jsonSchema.pattern,
            });
        },
      });
      return found;
    }),
  );
}

test('upper and lower case of a value match its pattern wherever the service accepts them', () => {
  const inputs = patternedInputs();
  expect(inputs.length).toBeGreaterThan(20);
  // Routes share fields, and dates have no case.
  const distinct = new Map(inputs.map((input) => [input.field, input]));
  for (const { at, field, pattern } of distinct.values()) {
    if (pattern.includes('T(?:')) continue;
    const samples = fc.sample(fc.stringMatching(new RegExp(pattern)), 3);
    for (const sample of samples.flatMap((text) => [text.toUpperCase(), text.toLowerCase()]))
      if (field.safeParse(sample).success) expect(sample, `${at}: ${pattern}`).toMatch(new RegExp(pattern));
  }
});

test.each([
  ['/api/check/password', 'post', 'sha1', '5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8'],
  ['/api/check/password', 'post', 'ntlm', '8846F7EAEE8FB117AD06BDD830B7586C'],
  ['/api/check/password', 'post', 'hash', '5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8'],
  ['/api/pwned-passwords/range/{prefix}', 'get', 'prefix', '5BAA6'],
])('%s %s allows %s as %s, the spelling of published lists', (path, method, field, value) => {
  const operation = whole.paths[path]?.[method];
  const body = operation?.requestBody?.content['application/json']?.schema as
    | { readonly properties: Readonly<Record<string, { readonly pattern: string }>> }
    | undefined;
  const parameter = operation?.parameters?.find((each) => each.name === field);
  const pattern = body?.properties[field]?.pattern ?? parameter?.schema.pattern;
  expect(value).toMatch(new RegExp(String(pattern)));
});

test.each([
  ['/monitoring', 'post', '200'],
  ['/monitoring/toggle-notify', 'post', '404'],
  ['/monitoring/unwatch', 'post', '404'],
  ['/api/keys/instant', 'post', '409'],
  ['/mmdb/download', 'get', '206'],
  ['/blocklist/download/{filename}', 'get', '304'],
  ['/check/stream', 'get', '204'],
])('%s %s describes its %s', (path, method, status) => {
  expect(Object.keys(whole.paths[path]?.[method]?.responses ?? {})).toContain(status);
});

describe('the short description for automation tools', () => {
  test('has 25 operations, and each of them is one of the whole description', () => {
    for (const document of [oldActions, actions]) {
      const ids = operationsOf(document).map(({ operation }) => operation.operationId);
      expect(ids.toSorted()).toEqual(Object.keys(ACTIONS).toSorted());
      expect(ids).toHaveLength(25);
    }
  });

  test('texts are short enough for tools: 300 characters for an operation, 700 for a parameter', () => {
    for (const { operation } of operationsOf(oldActions)) {
      expect(operation.summary.length, operation.operationId).toBeLessThanOrEqual(60);
      expect(operation.description?.length, operation.operationId).toBeLessThanOrEqual(300);
      for (const { name, description = '' } of operation.parameters ?? [])
        expect(description.length, `${operation.operationId} ${name}`).toBeLessThanOrEqual(700);
    }
  });

  test('an API key is the only credential, and whatever changes something says so', () => {
    expect(Object.keys(oldActions.components.securitySchemes ?? {})).toEqual(['apiKey']);
    const changing = operationsOf(oldActions).filter(
      ({ operation }) => (operation as unknown as Json)['x-openai-isConsequential'] === true,
    );
    expect(changing.map(({ operation }) => operation.operationId).toSorted()).toEqual([
      'deleteOrgIndicatorsId',
      'patchAlertsId',
      'postCases',
      'postCasesIdEvidence',
      'postMonitoring',
      'postMonitoringUnwatch',
      'postOrgIndicators',
    ]);
  });

  test('in version 3.0 no schema has a word that only 3.1 knows', () => {
    expect(oldActions.openapi).toBe('3.0.3');
    const newer = pointersOf(
      { paths: oldActions.paths, schemas: oldActions.components.schemas },
      (part, pointer) =>
        !/\/(?:properties|schemas)$/.test(pointer) &&
        (Array.isArray(part.type) ||
          part.type === 'null' ||
          (part.nullable === true && part.type === undefined) ||
          ['const', 'propertyNames', 'examples'].some((word) => word in part)),
    );
    expect(newer).toEqual([]);
    expect(JSON.stringify(oldActions).length).toBeLessThan(300_000);
  });
});
