import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bySize } from '#test/lane.ts';
import { exactExpression, urlExpressions } from './url-expressions.ts';

test('a URL is looked for under its host and parents, its path and folders', () => {
  expect(urlExpressions('http://a.b.com/1/2.html?param=1')).toEqual([
    'a.b.com/1/2.html?param=1',
    'a.b.com/1/2.html',
    'a.b.com/1/',
    'a.b.com/',
    'b.com/1/2.html?param=1',
    'b.com/1/2.html',
    'b.com/1/',
    'b.com/',
  ]);
});

test('for many labels the registrable name, three longer names and the host itself are tried', () => {
  expect(urlExpressions('http://a.b.c.d.e.f.com/1.html')).toEqual(
    ['a.b.c.d.e.f.com', 'c.d.e.f.com', 'd.e.f.com', 'e.f.com', 'f.com'].flatMap((host) => [
      `${host}/1.html`,
      `${host}/`,
    ]),
  );
});

test('an address has no parents', () => {
  expect(urlExpressions('http://1.2.3.4/1/')).toEqual(['1.2.3.4/1/', '1.2.3.4/']);
  expect(urlExpressions('http://[2001:db8::1]:8080/')).toEqual(['[2001:db8::1]/']);
});

test('a customer name is never looked up under its public suffix or hosting platform', () => {
  expect(urlExpressions('http://shop.evil.co.uk/')).toEqual(['shop.evil.co.uk/', 'evil.co.uk/']);
  expect(urlExpressions('http://evil.github.io/')).toEqual(['evil.github.io/']);
  expect(urlExpressions('http://co.uk/')).toEqual(['co.uk/']);
});

test('for a deep path the root, three folders, and the page with and without its query are tried', () => {
  expect(urlExpressions('https://evil.com/1/2/3/4/5.html?x=1')).toEqual([
    'evil.com/1/2/3/4/5.html?x=1',
    'evil.com/1/2/3/4/5.html',
    'evil.com/1/2/3/',
    'evil.com/1/2/',
    'evil.com/1/',
    'evil.com/',
  ]);
});

test('scheme, port, user name and fragment make no difference', () => {
  const plain = urlExpressions('http://www.evil.com/a?b');
  for (const other of ['https://www.evil.com:8443/a?b', 'ftp://user:secret@www.evil.com/a?b#top'])
    expect(urlExpressions(other)).toEqual(plain);
});

test('any text gives at most 30 expressions, all different, all plain ASCII', () => {
  const label = fc.constantFrom('a', 'www', 'co', 'github', 'xn--bcher-kva', '1', '0x7f', '%61', '');
  const like = fc
    .tuple(fc.array(label, { minLength: 1, maxLength: 12 }), fc.array(fc.string(), { maxLength: 12 }))
    .map(
      ([labels, segments]) => `http://${labels.join('.')}.com/${segments.join('/')}?${segments.join('&')}`,
    );
  fc.assert(
    fc.property(fc.oneof(like, fc.string()), (text) => {
      const expressions = urlExpressions(text);
      expect(exactExpression(text)).toBe(expressions[0] ?? null);
      expect(expressions.length).toBeLessThanOrEqual(30);
      expect(new Set(expressions).size).toBe(expressions.length);
      expect(expressions.filter((expression) => !/^[\x21-\x7e]+$/.test(expression))).toEqual([]);
    }),
    { numRuns: bySize(100, 500) },
  );
});
