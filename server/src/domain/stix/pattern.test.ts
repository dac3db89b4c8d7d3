import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseIndicator } from '#domain/indicator/index.ts';
import { bySize } from '#test/lane.ts';
import { patternOf, type StixSubject, stixString } from './pattern.ts';

/**
 * Reads one comparison by the grammar of STIX 2.1 section 9, without our own code: object path, equals sign, and a
 * string literal in which a backslash escapes the next character. Throws on any other text.
 */
function readPattern(text: string): { path: string; value: string } {
  const head = /^\[([a-z0-9-]+:(?:[a-z]+(?:\.(?:[A-Za-z0-9_]+|'[^'\\]+'))?)) = '/.exec(text);
  if (head === null) throw new Error(`No comparison: ${text}`);
  let value = '';
  let at = head[0].length;
  for (; text[at] !== "'"; at += 1) {
    if (at >= text.length) throw new Error('The literal is not closed.');
    if (text[at] === '\\') {
      at += 1;
      if (text[at] !== '\\' && text[at] !== "'") throw new Error('Nothing else may be escaped.');
    }
    value += text[at];
  }
  if (text.slice(at) !== "']") throw new Error(`Something follows: ${text.slice(at)}`);
  return { path: head[1] ?? '', value };
}

const subject = (text: string): StixSubject => {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  const { indicator } = parsed;
  if (indicator.kind === 'cidr' || indicator.kind === 'email') throw new Error(`${text} has no pattern.`);
  return indicator;
};

const PAGE = subject('http://evil.com/');

test.each([
  ['185.220.101.1', "[ipv4-addr:value = '185.220.101.1']"],
  ['2001:DB8::1', "[ipv6-addr:value = '2001:db8::1']"],
  ['evil[.]com', "[domain-name:value = 'evil.com']"],
  ["http://evil.com/it's", "[url:value = 'http://evil.com/it\\'s']"],
  ['44d88612fea8a8f36de82e1278abb02f', "[file:hashes.MD5 = '44d88612fea8a8f36de82e1278abb02f']"],
  ['A'.repeat(40), `[file:hashes.'SHA-1' = '${'a'.repeat(40)}']`],
  ['b'.repeat(64), `[file:hashes.'SHA-256' = '${'b'.repeat(64)}']`],
])('%s is matched by %s', (text, expected) => {
  expect(patternOf(subject(text))).toBe(expected);
});

test('a backslash is escaped before the quote, so that neither can end the literal', () => {
  expect(stixString("\\'")).toBe("'\\\\\\''");
  expect(() => readPattern("[url:value = 'a\\'] OR [url:value = 'b']")).toThrow();
});

test('the pattern of any value is one comparison with exactly that value', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom("'", '\\', ']', '[', ' ', 'OR', '\n', '\u0000', '\ud800', '😀') }),
  );
  fc.assert(
    fc.property(value, (text) => {
      expect(readPattern(`[url:value = ${stixString(text)}]`)).toEqual({ path: 'url:value', value: text });
      expect(readPattern(patternOf({ ...PAGE, value: text })).value).toBe(text);
    }),
    { numRuns: bySize(400, 2_000) },
  );
});

test('every parsed indicator gets a pattern that names it', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
      const parsed = parseIndicator(text);
      if (!parsed.ok || parsed.indicator.kind !== 'url') return;
      expect(readPattern(patternOf(parsed.indicator))).toEqual({
        path: 'url:value',
        value: parsed.indicator.value,
      });
    }),
  );
});
