import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test('equal values have equal texts, whatever the order of their fields', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe(
    '{"a":true,"b":[1,{"c":"x","d":null}]}',
  );
  expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
});

test('the text is that of JSON.stringify with sorted fields, so that kept fingerprints stay valid', () => {
  const before = (value: unknown): string =>
    JSON.stringify(value, (_name, part: unknown) =>
      part !== null && typeof part === 'object' && !Array.isArray(part) && !(part instanceof Date)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    );
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(canonicalJson([value])).toBe(before([value]));
    }),
  );
  const mixed = { 10: 1, 9: 2, a: undefined, at: new Date(0), list: [undefined, -0, Number.NaN] };
  expect(canonicalJson(mixed)).toBe(before(mixed));
});

test('a value that is nested 200,000 deep has a text', () => {
  const depth = 200_000;
  const deep: unknown = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  expect(canonicalJson({ deep }).length).toBe(2 * depth + '{"deep":}'.length);
});

test('a long list has a text', () => {
  expect(canonicalJson(Array.from({ length: 500_000 }, () => 1)).length).toBe(1_000_001);
});
