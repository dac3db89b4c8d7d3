import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Listable,
  type ParseResult,
  parseAsn,
  parseCrypto,
  parseIndicator,
  parsePhone,
} from '#domain/indicator/index.ts';
import { bySize } from '#test/lane.ts';
import { keyOf } from './indicator-key.ts';
import { indicatorOfKey, textOfKey } from './indicator-of-key.ts';

const octet = fc.integer({ min: 0, max: 255 });
const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'));
const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}[a-z0-9]$/);
const domain = fc
  .tuple(label, label, fc.constantFrom('com', 'co.uk', 'github.io'))
  .map((parts) => parts.join('.'));
const texts = fc.oneof(
  ipv4,
  fc.ipV6(),
  fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })).map(([base, bits]) => `${base}/${bits}`),
  fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })).map(([base, bits]) => `${base}/${bits}`),
  domain,
  fc.tuple(label, domain).map(([name, host]) => `${name}@${host}`),
  fc.constantFrom(32, 40, 64).chain((length) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`))),
);

function roundTrip(parsed: ParseResult<Listable>): void {
  if (!parsed.ok) return;
  expect(indicatorOfKey(keyOf(parsed.indicator))).toEqual(parsed);
}

test('every indicator survives the way to its key and back', () => {
  let tried = 0;
  fc.assert(
    fc.property(texts, (text) => {
      const parsed = parseIndicator(text);
      tried += parsed.ok ? 1 : 0;
      roundTrip(parsed);
    }),
    { numRuns: bySize(100, 500) },
  );
  expect(tried).toBeGreaterThan(bySize(70, 350));
});

test('so do networks, coin addresses and telephone numbers', () => {
  roundTrip(parsePhone('+14155552671'));
  expect(textOfKey(keyOf({ kind: 'phone', value: '+14155552671' }))).toBe('+14155552671');
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4_294_967_295 }), (number) => roundTrip(parseAsn(`AS${number}`))),
  );
  for (const text of [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    '0x52908400098527886E0F7030069857D2E4169EE7',
  ]) {
    const parsed = parseCrypto(text);
    expect(parsed.ok).toBe(true);
    roundTrip(parsed);
  }
});

describe('keys without an indicator', () => {
  test('a URL key holds only a digest', () => {
    const parsed = parseIndicator('http://example.com/x');
    expect(parsed.ok && textOfKey(keyOf(parsed.indicator))).toBeNull();
  });

  test('an unknown kind is refused', () => {
    expect(() => textOfKey(Uint8Array.of(99, 1))).toThrow('no kind');
  });
});
