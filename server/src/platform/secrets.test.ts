import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSecrets } from './secrets.ts';

const OLD = '1:an-old-secret-of-more-than-32-characters';
const NEW = '2:a-newer-secret-of-more-than-32-characters';
const bytes = fc.uint8Array({ maxLength: 400 });

describe('versions', () => {
  test('the newest version writes and every listed version reads', () => {
    const secrets = createSecrets(`${NEW},${OLD}`);
    expect(secrets.newest).toBe(2);
    expect(secrets.versions).toEqual([2, 1]);
    expect(secrets.hmacUnder(3, 'x')).toBeUndefined();
  });

  test.each([
    ['oldest first', `${OLD},${NEW}`],
    ['a version twice', `${NEW},${NEW}`],
    ['a short secret', '1:short'],
    ['no version', 'a-newer-secret-of-more-than-32-characters'],
    ['a version beyond two bytes', '65536:a-newer-secret-of-more-than-32-characters'],
    ['nothing', ''],
  ])('%s is refused', (_name, text) => {
    expect(() => createSecrets(text)).toThrow();
  });
});

describe('hmacUnder', () => {
  test('is HMAC-SHA-256 under the secret of that version, for any secret and text', () => {
    const secret = fc.string({
      unit: fc.constantFrom(...'abc-_.+/=0123'.split('')),
      minLength: 32,
      maxLength: 200,
    });
    fc.assert(
      fc.property(secret, fc.string({ unit: 'binary', maxLength: 150 }), (key, text) => {
        const expected = createHmac('sha256', key).update(text, 'utf8').digest('hex');
        expect(createSecrets(`7:${key}`).hmacUnder(7, text)?.toString('hex')).toBe(expected);
      }),
    );
  });

  test('a long text does not affect the result of a shorter one after it', () => {
    const secrets = createSecrets(OLD);
    const before = secrets.hmacUnder(1, 'short')?.toString('hex');
    secrets.hmacUnder(1, 'y'.repeat(5_000));
    expect(secrets.hmacUnder(1, 'short')?.toString('hex')).toBe(before);
  });
});

describe('keyFor', () => {
  test('each purpose and version has a key of its own', () => {
    const secrets = createSecrets(`${NEW},${OLD}`);
    const keys = (['stored', 'stream'] as const).flatMap((purpose) =>
      [1, 2].map((version) => secrets.keyFor(purpose, version)?.export().toString('hex')),
    );
    expect(new Set(keys).size).toBe(4);
  });
});

describe('seal and open', () => {
  const before = createSecrets(OLD);
  const after = createSecrets(`${NEW},${OLD}`);

  test('sealed bytes can be opened, also after the secret was rotated', () => {
    fc.assert(
      fc.property(bytes, fc.string(), (plain, context) => {
        const sealed = before.seal(plain, context);
        expect(after.open(sealed, context)).toEqual(Buffer.from(plain));
      }),
    );
  });

  test('sealed bytes with one flipped bit, or in another context, cannot be opened', () => {
    fc.assert(
      fc.property(bytes, fc.nat(), fc.nat(7), (plain, at, bit) => {
        const sealed = after.seal(plain, 'webhook:1');
        expect(after.open(sealed, 'webhook:2')).toBeNull();
        const index = at % sealed.length;
        sealed[index] = (sealed[index] ?? 0) ^ (1 << bit);
        expect(after.open(sealed, 'webhook:1')).toBeNull();
      }),
    );
  });

  test('bytes of a retired version, and truncated bytes, cannot be opened', () => {
    const sealed = after.seal(Buffer.from('x'), 'c');
    expect(before.open(sealed, 'c')).toBeNull();
    expect(after.open(sealed.subarray(0, 20), 'c')).toBeNull();
    expect(after.open(new Uint8Array(), 'c')).toBeNull();
  });

  test('the sealed bytes never contain the plain text', () => {
    const plain = Buffer.from('sk_this-must-not-appear');
    expect(after.seal(plain, 'c').includes(plain)).toBe(false);
  });
});
