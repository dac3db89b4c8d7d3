import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LINEAR_TIMES_MAX, timesInPieces } from '#test/growth.ts';
import { bySize, IS_FULL_SIZE } from '#test/lane.ts';
import { cutAt } from '#test/run-format.ts';
import { type JsonValue, jsonElements, parsePath } from './json-elements.ts';
import { BROKEN_JSON, JSON_DEPTH_MAX, JSON_STRING_CHARS_MAX } from './json-stream.ts';

function read(pieces: readonly string[], paths: readonly string[] = ['']) {
  const elements: [value: JsonValue, path: number][] = [];
  const problems: string[] = [];
  const stream = jsonElements(paths, {
    element: (value, path) => elements.push([value, path]),
    oversized: (reason) => problems.push(reason),
    broken: (reason) => problems.push(reason),
  });
  for (const piece of pieces) stream.write(piece);
  stream.end();
  return { elements, problems, values: elements.map(([value]) => value) };
}
/** Turns our objects without a prototype into those of JSON.parse. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a JSON text', () => {
  test('is read as JSON.parse reads it, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.array(fc.nat(), { maxLength: 20 }), (text, cuts) => {
        const { values, problems } = read(cutAt(text, cuts));
        expect(problems).toEqual([]);
        expect(plain(values)).toEqual([plain(JSON.parse(text))]);
      }),
      { numRuns: bySize(100, 500) },
    );
  });

  test('never throws and never hangs on any text', () => {
    const hostile = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        '\\u',
        '\\ud800',
        'a',
        '1',
        '-',
        '1e9',
        'null',
        ' ',
        '\ufeff',
        '\0',
      ),
      { maxLength: 400 },
    );
    fc.assert(
      fc.property(hostile, fc.array(fc.nat(), { maxLength: 5 }), (tokens, cuts) => {
        const text = tokens.join('');
        expect(read(cutAt(text, cuts), ['', '[*]', '*'])).toEqual(read([text], ['', '[*]', '*']));
      }),
      { numRuns: bySize(300, 2_000) },
    );
  });

  test.each([
    ['[1, 2', BROKEN_JSON.cutOff],
    ['{"a": "b', BROKEN_JSON.cutOff],
    ['{"a": "b\\', BROKEN_JSON.cutOff],
    ['{"a" 1}', BROKEN_JSON.syntax],
    ['[1 2]', BROKEN_JSON.syntax],
    ['[}', BROKEN_JSON.syntax],
    ['{"a": }', BROKEN_JSON.syntax],
    ['["\\x"]', BROKEN_JSON.syntax],
    ['["\\u12g4"]', BROKEN_JSON.syntax],
    ['[NaN]', BROKEN_JSON.syntax],
    ['[01]', BROKEN_JSON.syntax],
    ['<html>', BROKEN_JSON.syntax],
    [`[${'9'.repeat(100)}]`, BROKEN_JSON.syntax],
    ['['.repeat(JSON_DEPTH_MAX + 1), BROKEN_JSON.depth],
  ])('%s is reported as broken, once', (text, reason) => {
    expect(read([text], ['x']).problems).toEqual([reason]);
    expect(read(text.split(''), ['x']).problems).toEqual([reason]);
  });

  test('a comma too many and several texts in a row are forgiven', () => {
    expect(read(['[1,2,]\n["a"]'], ['[*]']).values).toEqual([1, 2, 'a']);
  });

  test('a lone surrogate becomes a replacement character', () => {
    expect(read(['"\\ud83d\\ude00 \\ud83d"']).values).toEqual(['\u{1f600} \ufffd']);
  });

  test('keys such as __proto__ are keys like any other', () => {
    const [value] = read(['{"__proto__": {"polluted": 1}, "constructor": 2}']).values;
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor']);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('memory and time stay bounded', () => {
  test('a string over 64 KiB is not kept, and its neighbours are', () => {
    const long = `"${'a'.repeat(JSON_STRING_CHARS_MAX + 1)}"`;
    const { values, problems } = read([`["x", ${long}, "y"]`], ['[*]']);
    expect(values).toEqual(['x', 'y']);
    expect(problems).toHaveLength(1);
  });

  test('an element with a million nodes is skipped', () => {
    const { values, problems } = read([`[{"a": [${'1,'.repeat(100_000)}1]}, {"a": 1}]`], ['[*]']);
    expect(plain(values)).toEqual([{ a: 1 }]);
    expect(problems).toHaveLength(1);
  });

  test.each([
    ['quotes', '"'.repeat(1_000_000)],
    ['backslashes', `"${'\\'.repeat(1_000_000)}`],
    ['far backslashes', `[${'"a",'.repeat(250_000)}"\\n"]`],
    ['open brackets', '['.repeat(1_000_000)],
    ['empty arrays', '[]'.repeat(500_000)],
    ['a number', '1'.repeat(1_000_000)],
    ['spaces', ' '.repeat(1_000_000)],
    ['escapes', `"${'\\u0041'.repeat(170_000)}"`],
  ])(
    bySize('the work for 1 MB of %s grows with its length alone', '1 MB of %s take less than two seconds'),
    (_, text) => {
      const step = (part: string) =>
        read([part.slice(0, part.length / 4), part.slice(part.length / 4)], ['[*]', '*[*]']);
      expect(timesInPieces(step, (length) => text.slice(0, length), text.length)).toBeLessThan(
        LINEAR_TIMES_MAX,
      );
      if (!IS_FULL_SIZE) return;
      const start = performance.now();
      step(text);
      expect(performance.now() - start).toBeLessThan(2_000);
    },
  );
});

describe('paths', () => {
  const text = '{"a": [{"b": 1, "c": [2, 3]}, {"b": {"d": 4}}], "e": [5], "f": 6}';
  test.each([
    ['a[*].b', [1, { d: 4 }]],
    ['a[*].c[*]', [2, 3]],
    ['a[*].b.d', [4]],
    ['*[*]', [{ b: 1, c: [2, 3] }, { b: { d: 4 } }, 5]],
    ['f', [6]],
    ['*', [[{ b: 1, c: [2, 3] }, { b: { d: 4 } }], [5], 6]],
    ['[*]', []],
    ['a.b', []],
  ])('%s', (path, found) => {
    expect(plain(read([text], [path]).values)).toEqual(found);
  });

  test('several at once, each told by its number', () => {
    expect(plain(read([text], ['e[*]', 'f', 'a[*].c[*]']).elements)).toEqual([
      [2, 2],
      [3, 2],
      [5, 0],
      [6, 1],
    ]);
  });

  test('are read into steps', () => {
    expect(
      parsePath('regions[*].cidrs[*].cidr').map((step) => ('name' in step ? step.name : step.kind)),
    ).toEqual(['regions', 'any-element', 'cidrs', 'any-element', 'cidr']);
  });
});
