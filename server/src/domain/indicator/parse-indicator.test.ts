import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { bySize } from '#test/lane.ts';
import { defang } from './defang.ts';
import { formatIpv4 } from './ipv4.ts';
import { formatIpv6 } from './ipv6.ts';
import { parseIndicator } from './parse-indicator.ts';

const RUNS = { numRuns: bySize(100, 500) };
const INVISIBLES = ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u202e', '\u2066', '\u180e'];

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,12}[a-z0-9])?$/);
const suffix = fc.constantFrom('com', 'co.uk', 'net', 'xn--p1ai', 'top', 'github.io', 'de');
const domain = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 4 }), suffix)
  .map(([labels, end]) => `${labels.join('.')}.${end}`);
const ipv4 = fc.nat(0xffffffff).map(formatIpv4);
const ipv6Bytes = fc
  .tuple(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.array(fc.nat(15), { maxLength: 16 }))
  .map(([bytes, zeros]) => {
    for (const index of zeros) bytes[index] = 0;
    return bytes;
  });
const ipv6 = ipv6Bytes.map(formatIpv6);
const cidr = fc.oneof(
  fc.tuple(ipv4, fc.nat(32)).map(([base, bits]) => `${base}/${bits}`),
  fc.tuple(ipv6, fc.nat(128)).map(([base, bits]) => `${base}/${bits}`),
);
const hash = fc
  .constantFrom(32, 40, 64)
  .chain((length) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)));
const email = fc
  .tuple(fc.stringMatching(/^[a-z0-9+_-]{1,12}(\.[a-z0-9]{1,6})?$/), domain)
  .map(([local, host]) => `${local}@${host}`);
const url = fc
  .tuple(
    fc.constantFrom('http', 'https', 'ftp'),
    fc.oneof(
      domain,
      ipv4,
      ipv6.map((text) => `[${text}]`),
    ),
    fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: null }),
    fc.stringMatching(/^(\/[A-Za-z0-9._~%()'!*,;:@&=+$\\[\]{}|^-]{0,8}){0,4}$/),
    fc.stringMatching(/^(\?[A-Za-z0-9._~%()'!*,;:@&=+$/?\\[\]{}|^-]{0,12})?$/),
  )
  .map(
    ([scheme, host, port, path, query]) =>
      `${scheme}://${host}${port === null ? '' : `:${port}`}${path}${query}`,
  );
const indicatorText = fc.oneof(domain, ipv4, ipv6, cidr, hash, email, url);

/** Random mixes of fragments of real text: most are refused, some are read, and none may throw. */
const soup = fc
  .array(
    fc.oneof(
      indicatorText,
      fc.constantFrom(
        '[.]',
        '(dot)',
        ' dot ',
        'hxxp',
        '://',
        '[://]',
        '[:]',
        '[@]',
        '(at)',
        '\\.',
        '%2e',
        '%5B',
        '%',
      ),
      fc.constantFrom(
        '(',
        ')',
        '[',
        ']',
        '{',
        '}',
        '<',
        '>',
        '"',
        '…',
        '.',
        ',',
        ':',
        '/',
        '?',
        '#',
        '\\',
        '@',
        ' ',
      ),
      fc.constantFrom(
        'mailto:',
        'tel:',
        'meow',
        'ｅ',
        '。',
        '．',
        'ü',
        'ß',
        'İ',
        '℀',
        '⒈',
        '﷼',
        'xn--',
        '0x',
        '☃',
      ),
      fc.constantFrom(...INVISIBLES),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

describe('parseIndicator', () => {
  test('no text makes it throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), soup), (raw) => {
        const result = parseIndicator(raw);
        if (!result.ok) expect(result.reason).toMatch(/^[A-Z][^\n]+\.$/);
      }),
      { numRuns: bySize(300, 2_000) },
    );
  });

  test('a canonical value is read back as itself', () => {
    fc.assert(
      fc.property(
        fc.oneof({ weight: 3, arbitrary: soup }, { weight: 2, arbitrary: indicatorText }),
        (raw) => {
          const once = parseIndicator(raw);
          if (once.ok) expect(parseIndicator(once.indicator.value)).toEqual(once);
        },
      ),
      { numRuns: bySize(300, 2_000) },
    );
  });

  test('canonical values are printable ASCII of at most 2,048 characters', () => {
    fc.assert(
      fc.property(fc.oneof(soup, indicatorText), (raw) => {
        const result = parseIndicator(raw);
        if (result.ok) expect(result.indicator.value).toMatch(/^[!-~]{1,2048}$/);
      }),
      RUNS,
    );
  });

  test('the fast path and the full path agree', () => {
    fc.assert(
      fc.property(fc.oneof(domain, ipv4, ipv6, hash, label), (text) => {
        expect(parseIndicator(` ${text}`)).toEqual(parseIndicator(text));
      }),
      RUNS,
    );
  });

  test('surrounding space, quotes, invisibles and a final full stop change nothing', () => {
    const around = fc.constantFrom('', ' ', '\t', '"', "'", '\u00a0', ...INVISIBLES);
    fc.assert(
      fc.property(
        indicatorText,
        around,
        around,
        fc.nat(),
        fc.constantFrom('', '.', ','),
        (text, a, b, at, end) => {
          const middle = at % (text.length + 1);
          const invisible = INVISIBLES[at % INVISIBLES.length] ?? '';
          const dressed = `${a}${text.slice(0, middle)}${invisible}${text.slice(middle)}${end}${b}`;
          const expected = parseIndicator(text);
          // A URL may end in a dot segment, where one more full stop would change the path.
          if (!/\/\.{0,2}$/.test(text)) expect(parseIndicator(dressed)).toEqual(expected);
        },
      ),
      RUNS,
    );
  });

  test('letter case changes nothing where case has no meaning', () => {
    fc.assert(
      fc.property(fc.oneof(domain, ipv6, cidr, hash, email), (text) => {
        expect(parseIndicator(text.toUpperCase())).toEqual(parseIndicator(text));
      }),
      RUNS,
    );
  });
});

describe('defanging', () => {
  test('the output of defang is read back to the same indicator', () => {
    fc.assert(
      fc.property(indicatorText, (text) => {
        const parsed = parseIndicator(text);
        if (parsed.ok) expect(parseIndicator(defang(parsed.indicator))).toEqual(parsed);
      }),
      RUNS,
    );
  });

  test('any mix of the usual forms is read back to the same indicator', () => {
    const dots = fc.array(
      fc.constantFrom('.', '[.]', '(.)', '{.}', '[dot]', '(DOT)', ' [.] ', '[.', '\\.', ' dot ', '。', '．'),
      { minLength: 1, maxLength: 5 },
    );
    const schemes = fc.constantFrom('hxxp', 'hXXp', 'http', 'meow', 'HTTP');
    const colons = fc.constantFrom('://', '[://]', '[:]//', ':\\/\\/');
    const ats = fc.constantFrom('@', '[@]', '(at)', ' [at] ', '{AT}');
    fc.assert(
      fc.property(fc.oneof(domain, ipv4), dots, schemes, colons, ats, (host, forms, scheme, colon, at) => {
        let i = 0;
        const hidden = host.replaceAll('.', () => forms[i++ % forms.length] ?? '.');
        expect(parseIndicator(hidden)).toEqual(parseIndicator(host));
        expect(parseIndicator(`${scheme}${colon}${hidden}/a`)).toEqual(parseIndicator(`http://${host}/a`));
        expect(parseIndicator(`me${at}${hidden}`)).toEqual(parseIndicator(`me@${host}`));
      }),
      RUNS,
    );
  });
});

describe('addresses agree with a second implementation', () => {
  test('every text form of an IPv6 address is one address', () => {
    fc.assert(
      fc.property(ipv6Bytes, (bytes) => {
        const other = ipaddr.fromByteArray([...bytes]) as ipaddr.IPv6;
        fc.pre(!other.isIPv4MappedAddress());
        const expected = parseIndicator(other.toRFC5952String());
        expect(expected).toMatchObject({ ok: true, indicator: { value: other.toRFC5952String(), bytes } });
        const expanded = other.parts.map((part) => part.toString(16).padStart(4, '0')).join(':');
        const quad = `${expanded.slice(0, 30)}${bytes.slice(12).join('.')}`;
        for (const form of [
          expanded,
          expanded.toUpperCase(),
          other.toNormalizedString(),
          quad,
          `[${other.toString()}]`,
          `[${other.toString()}]:8080`,
        ])
          expect(parseIndicator(form)).toEqual(expected);
      }),
      RUNS,
    );
  });

  test('an IPv4 address is its number', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), (address) => {
        const value = formatIpv4(address);
        expect(
          ipaddr.IPv4.parse(value)
            .toByteArray()
            .reduce((sum, byte) => sum * 256 + byte, 0),
        ).toBe(address);
        expect(parseIndicator(value)).toEqual({
          ok: true,
          indicator: { kind: 'ip', version: 4, value, address },
        });
      }),
      RUNS,
    );
  });

  test('a range starts where the other implementation says', () => {
    fc.assert(
      fc.property(ipv4, fc.nat(31), ipv6Bytes, fc.nat(95), (base4, bits4, bytes, bits6) => {
        const first4 = ipaddr.IPv4.networkAddressFromCIDR(`${base4}/${bits4}`).toString();
        expect(parseIndicator(`${base4}/${bits4}`)).toMatchObject({
          indicator: { value: `${first4}/${bits4}` },
        });
        const base6 = formatIpv6(bytes);
        const first6 = ipaddr.IPv6.networkAddressFromCIDR(`${base6}/${bits6}`).toRFC5952String();
        expect(parseIndicator(`${base6}/${bits6}`)).toMatchObject({
          indicator: { value: `${first6}/${bits6}` },
        });
      }),
      RUNS,
    );
  });
});
