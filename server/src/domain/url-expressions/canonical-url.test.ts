import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LINEAR_TIMES_MAX, timesInPieces } from '#test/growth.ts';
import { canonicalUrl } from './canonical-url.ts';
import { escapeBytes, unescapeBytes } from './percent-bytes.ts';

const canonical = (text: string): string | null => {
  const url = canonicalUrl(text);
  return url === null
    ? null
    : `${url.scheme}://${url.host.text}${url.path}${url.query === null ? '' : `?${url.query}`}`;
};

/** The examples of the public specification. */
test.each([
  ['http://host/%25%32%35', 'http://host/%25'],
  ['http://host/%25%32%35%25%32%35', 'http://host/%25%25'],
  ['http://host/%2525252525252525', 'http://host/%25'],
  ['http://host/asdf%25%32%35asd', 'http://host/asdf%25asd'],
  ['http://host/%%%25%32%35asd%%', 'http://host/%25%25%25asd%25%25'],
  ['http://www.google.com/', 'http://www.google.com/'],
  [
    'http://%31%36%38%2e%31%38%38%2e%39%39%2e%32%36/%2E%73%65%63%75%72%65/%77%77%77%2E%65%62%61%79%2E%63%6F%6D/',
    'http://168.188.99.26/.secure/www.ebay.com/',
  ],
  [
    'http://195.127.0.11/uploads/%20%20%20%20/.verify/.eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/',
    'http://195.127.0.11/uploads/%20%20%20%20/.verify/.eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/',
  ],
  [
    'http://host%23.com/%257Ea%2521b%2540c%2523d%2524e%25f%255E00%252611%252A22%252833%252944_55%252B',
    'http://host%23.com/~a!b@c%23d$e%25f^00&11*22(33)44_55+',
  ],
  ['http://3279880203/blah', 'http://195.127.0.11/blah'],
  ['http://www.google.com/blah/..', 'http://www.google.com/'],
  ['www.google.com/', 'http://www.google.com/'],
  ['www.google.com', 'http://www.google.com/'],
  ['http://www.evil.com/blah#frag', 'http://www.evil.com/blah'],
  ['http://www.GOOgle.com/', 'http://www.google.com/'],
  ['http://www.google.com.../', 'http://www.google.com/'],
  ['http://www.google.com/foo\tbar\rbaz\n2', 'http://www.google.com/foobarbaz2'],
  ['http://www.google.com/q?', 'http://www.google.com/q?'],
  ['http://www.google.com/q?r?', 'http://www.google.com/q?r?'],
  ['http://www.google.com/q?r?s', 'http://www.google.com/q?r?s'],
  ['http://evil.com/foo#bar#baz', 'http://evil.com/foo'],
  ['http://evil.com/foo;', 'http://evil.com/foo;'],
  ['http://evil.com/foo?bar;', 'http://evil.com/foo?bar;'],
  // The specification writes the two bytes raw; text can only carry them escaped.
  ['http://%01%80.com/', 'http://%01%80.com/'],
  ['http://notrailingslash.com', 'http://notrailingslash.com/'],
  ['http://www.gotaport.com:1234/', 'http://www.gotaport.com/'],
  ['  http://www.google.com/  ', 'http://www.google.com/'],
  ['http:// leadingspace.com/', 'http://%20leadingspace.com/'],
  ['http://%20leadingspace.com/', 'http://%20leadingspace.com/'],
  ['%20leadingspace.com/', 'http://%20leadingspace.com/'],
  ['https://www.securesite.com/', 'https://www.securesite.com/'],
  ['http://host.com/ab%23cd', 'http://host.com/ab%23cd'],
  ['http://host.com//twoslashes?more//slashes', 'http://host.com/twoslashes?more//slashes'],
])('%s is written as %s', (text, expected) => {
  expect(canonical(text)).toBe(expected);
});

test.each([
  ['http://0x7f.1/', 'http://127.0.0.1/'],
  ['http://0177.0.0.01/', 'http://127.0.0.1/'],
  ['http://10.258/', 'http://10.0.1.2/'],
  ['http://0x/', 'http://0.0.0.0/'],
  // Too large for an address or not a valid octal number, so it is a name.
  ['http://256.1.1.1/', 'http://256.1.1.1/'],
  ['http://4294967296/', 'http://4294967296/'],
  ['http://09.1.1.1/', 'http://09.1.1.1/'],
  ['http://1.2.3.4.5/', 'http://1.2.3.4.5/'],
  ['http://[2001:0DB8:0000::1]/', 'http://[2001:db8::1]/'],
  ['http://[::ffff:1.2.3.4]:8080/x', 'http://1.2.3.4/x'],
  ['http://[64:ff9b::1.2.3.4]/', 'http://1.2.3.4/'],
])('an address has one form: %s is %s', (text, expected) => {
  expect(canonical(text)).toBe(expected);
});

test.each([
  ['http://user:secret@evil.example/a', 'http://evil.example/a'],
  ['http://bank.example@evil.example/', 'http://evil.example/'],
  ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
  ['http://evil.example/ü', 'http://evil.example/%C3%BC'],
  ['http://..evil...example../', 'http://evil.example/'],
  ['http://evil.example/a/./b/../c/.', 'http://evil.example/a/c/'],
  ['http://evil.example/../../a', 'http://evil.example/a'],
  ['http://evil.example/a//../b', 'http://evil.example/a/b'],
  ['http://evil.example?q=1', 'http://evil.example/?q=1'],
  // Decoding does not move the boundaries between the parts.
  ['http://evil.example/a%3Fb?c', 'http://evil.example/a?b?c'],
])('%s is written as %s', (text, expected) => {
  expect(canonical(text)).toBe(expected);
});

test('a text without a host is not a URL', () => {
  for (const text of ['', 'http://', 'http://.../x', 'http:///x', '#a', 'http://user@/']) {
    expect(canonicalUrl(text)).toBeNull();
  }
});

test('one pass removes every level of escaping, and escaped text is unescaped to itself', () => {
  const byPasses = (bytes: string): string => {
    const next = bytes.replace(/%([\da-f]{2})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
    return next === bytes ? bytes : byPasses(next);
  };
  const pieces = fc.array(fc.constantFrom('%', '25', '2', '5', '%25', '%32', 'a', '\xe9', '/'), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join('');
      expect(unescapeBytes(text)).toBe(byPasses(text));
      expect(unescapeBytes(escapeBytes(unescapeBytes(text)))).toBe(unescapeBytes(text));
    }),
  );
});

test('a hundred thousand nested escapes take time linear in their length', () => {
  const nested = (escapes: number) => `http://host/%25${'25'.repeat(escapes)}`;
  expect(canonical(nested(100_000))).toBe('http://host/%25');
  expect(timesInPieces(canonical, nested, 100_000)).toBeLessThan(LINEAR_TIMES_MAX);
});
