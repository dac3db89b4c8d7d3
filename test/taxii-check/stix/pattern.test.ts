import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPattern } from './pattern.ts';

const reasonOf = (text: string): string => {
  const reading = readPattern(text);
  return reading.ok ? 'accepted' : reading.reason;
};

test.each([
  "[ipv4-addr:value = '198.51.100.7']",
  "[file:size = 1280 AND file:name != 'a.exe']",
  '[file:size IN (1024, 2048, +4096, -1)]',
  '[file:name IN ()]',
  "[file:hashes.'SHA-256' = 'ab' OR file:hashes.MD5 = 'cd']",
  "[file:hashes[*] = 'ab']",
  "[network-traffic:extensions.'http-request-ext'.request_header.'User-Agent' LIKE 'Mozilla%']",
  "[x:list[0].a[-1].b NOT MATCHES '^\\\\d+$']",
  "[ipv4-addr:value ISSUBSET '198.51.100.0/24' OR ipv4-addr:value NOT ISSUPERSET '198.51.100.0/30']",
  '[EXISTS file:name AND NOT EXISTS file:size]',
  "[a:b = true OR a:b = b'dGVzdA==' OR a:b > h'00ff' OR a:b <= 1.5 OR a:b <> .5]",
  "[a:b=t'2024-02-29T12:00:00.123456Z']",
  '[a:b = 1] REPEATS 9 TIMES',
  '[a:b = 1] WITHIN 0.5 SECONDS',
  '([a:b = 1] AND [a:c = 2]) WITHIN 300 SECONDS REPEATS 2 TIMES',
  '([a:b = 1] REPEATS 2 TIMES) REPEATS 2 TIMES',
  '[a:b = 1] FOLLOWEDBY ([a:b = 2] OR [a:c = 3])',
  "[a:b = 1] START t'2016-06-01T01:30:00.123Z' STOP t'2016-06-01T02:20:00.123Z' OR [a:b = 2]",
  '( [(a:b IN(443,6443) AND a:c != 0) ])',
  '/* why */ [a:b = 1] // and so on',
  "[url:value = 'http://a.example/it\\'s \\\\ a [path] OR more']",
])('%s is a pattern', (text) => {
  expect(reasonOf(text)).toBe('accepted');
});

test.each([
  ['', /the end stands where \[/],
  ['file:size = 1280', /stands where \[/],
  ['[file:size = ]', /literal is wanted/],
  ['[file:hashes.MD5 = cead3f77]', /literal is wanted/],
  ['[file.size = 1280]', /where : is wanted/],
  ["[file:hashes.SHA-256 = 'ab']", /where name is wanted/],
  ['[file:name MATCHES /.*/]', /the end stands where string|not part/],
  ["[a:b = 'x'] WITHIN 5 HOURS", /SECONDS is wanted/],
  ["[a:b = 'x'] WITHIN -5 SECONDS", /above 0/],
  ["[a:b = 'x'] WITHIN 0 SECONDS", /above 0/],
  ["[a:b = 'x'] REPEATS 1.5 TIMES", /above 0/],
  ["[a:b = 'x'] WITHIN 5 SECONDS WITHIN 6 SECONDS", /twice/],
  ["[a:b = 'x'] START t'2016-06-01T02:00:00Z' STOP t'2016-06-01T01:00:00Z'", /not later/],
  ["[a:b =? 'x']", /not part of a pattern/],
  ["[a:b = t'2457-73-22T32:81:84.1Z']", /not a literal/],
  ["[a:b = b'====']", /not a literal/],
  ["[a:b = h'abc']", /not a literal/],
  ['[a:b=1] within 2 seconds', /the end|end is wanted/],
  ['[a:b > true]', /literal is wanted/],
  ['[a:b LIKE 5]', /string is wanted/],
  ["[a:b = 'x]", /not closed/],
  ["[a:b = 'it\\s']", /backslash/],
  ["[a:b = 'it's']", /not a literal/],
  ["[a:b = 'x'", /where \] is wanted/],
  ["[a:b = 'x']]", /end is wanted/],
  ["([a:b = 'x']", /where \) is wanted/],
  ['[a:b = 01]', /not part of a pattern/],
  ["[a:b = 'x' AND]", /stands where/],
  ["[a:b = 'x'] AND", /stands where/],
  ["[AND:b = 'x']", /name is wanted/],
  ['[a:b NOT EXISTS]', /operator is wanted/],
  ["[a:b = 'x' \u0000]", /not part of a pattern/],
])('%s is no pattern', (text, reason) => {
  expect(reasonOf(text)).toMatch(reason);
});

test('a value closes no literal and opens no second observation, whatever is in it', () => {
  const unit = fc.constantFrom("'", '\\', '[', ']', ' OR ', '\n', '\u0000', '\ud800', '😀', '/*', '//', "t'");
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit })), (value) => {
      const literal = `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
      const reading = readPattern(`[url:value = ${literal}]`);
      return reading.ok && reading.comparisons.length === 1 && reading.comparisons[0]?.values[0] === value;
    }),
  );
});

test('hostile texts are refused without an exception and in linear time', () => {
  const many = 5_000;
  expect(reasonOf('('.repeat(many))).toMatch(/nested deeper/);
  expect(reasonOf(`[${'('.repeat(many)}`)).toMatch(/nested deeper/);
  expect(reasonOf(`[a:b = '${'\\'.repeat(many + 1)}']`)).toMatch(/backslash|not closed/);
  expect(reasonOf(`[a:b = b'${'A'.repeat(many * 4 + 1)}']`)).toMatch(/not a literal/);
  expect(reasonOf(`/*${'*'.repeat(many)}`)).toMatch(/not part of a pattern/);
  expect(reasonOf(`[a:b${'[0]'.repeat(many)} = 1]`)).toBe('accepted');
  expect(reasonOf(`[a:b = 1${' OR a:b = 1'.repeat(many / 2)}]`)).toBe('accepted');
  expect(reasonOf('x'.repeat(1_000_001))).toMatch(/longer than/);
  fc.assert(fc.property(fc.string(), (text) => typeof readPattern(text).ok === 'boolean'));
});

test('comparisons name their object, path and values', () => {
  const reading = readPattern("[file:hashes.'SHA-1' NOT IN ('a', 'b')] AND [EXISTS a:b[*].c]");
  expect(reading).toEqual({
    ok: true,
    comparisons: [
      { objectType: 'file', path: ['hashes', 'SHA-1'], operator: 'IN', negated: true, values: ['a', 'b'] },
      { objectType: 'a', path: ['b', '[*]', 'c'], operator: 'EXISTS', negated: false, values: [] },
    ],
  });
});
