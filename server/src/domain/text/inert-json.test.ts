import { expect, test } from 'vitest';
import { inertJson, type JsonLimits } from './inert-json.ts';

const LIMITS: JsonLimits = { depthMax: 4, itemsMax: 5, textMax: 10, valuesMax: 20 };

test('small JSON stays as it is', () => {
  const value = { a: [1, true, null, 'x'], b: { c: -0.5 } };
  expect(inertJson(value, LIMITS)).toEqual(value);
});

test('texts and names are inert and cut', () => {
  expect(inertJson({ 'a\u202e\u0000': 'b\u200b\n'.repeat(20) }, LIMITS)).toEqual({ a: 'b b b b b' });
});

test('names that reach a prototype are left out', () => {
  const value: unknown = JSON.parse(
    '{"__proto__": {"admin": true}, "constructor": 1, "prototype": 2, "ok": 3}',
  );
  const inert = inertJson(value, LIMITS);
  expect(Object.keys(inert as object)).toEqual(['ok']);
  expect(Object.getPrototypeOf(inert)).toBe(Object.prototype);
});

test('depth, width and the whole are bounded', () => {
  expect(JSON.stringify(inertJson(JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)), LIMITS))).toBe(
    '[[[[null]]]]',
  );
  expect(inertJson([1, 2, 3, 4, 5, 6, 7], LIMITS)).toEqual([1, 2, 3, 4, 5]);
  const wide = Array.from({ length: 5 }, () => Array.from({ length: 5 }, () => [1, 2, 3]));
  expect((JSON.stringify(inertJson(wide, LIMITS)).match(/\d/g) ?? []).length).toBeLessThanOrEqual(20);
});

test('values that JSON cannot hold become null', () => {
  expect(inertJson([undefined, Number.NaN, () => 1, Symbol('x'), 1n], LIMITS)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});
