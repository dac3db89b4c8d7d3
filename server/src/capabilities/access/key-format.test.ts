import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { credentialOf, isApiKey, isLicence, isSecret, newLicence, newPair, newSecret } from './key-format.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.split('');

describe('key pairs', () => {
  test('have the published form (decisions 1.3, O19)', () => {
    for (let i = 0; i < 200; i += 1) {
      const pair = newPair();
      expect(pair.apiKey).toMatch(/^ak_[0-9A-Za-z]{24}$/);
      expect(pair.apiSecret).toMatch(/^sk_[0-9A-Za-z]{43}$/);
      expect(isApiKey(pair.apiKey)).toBe(true);
      expect(isSecret(pair.apiSecret)).toBe(true);
      expect(credentialOf(pair)).toBe(btoa(`${pair.apiKey}:${pair.apiSecret}`));
    }
  });

  test('never repeat, and use every character about equally', () => {
    const secrets = Array.from({ length: 2_000 }, newSecret);
    expect(new Set(secrets).size).toBe(secrets.length);
    const counts = new Map<string, number>();
    for (const secret of secrets)
      for (const char of secret.slice(3, 40)) counts.set(char, (counts.get(char) ?? 0) + 1);
    // 74,000 characters over 62 are 1,194 each, within six standard deviations.
    for (const char of BASE62) expect(Math.abs((counts.get(char) ?? 0) - 1_194)).toBeLessThan(210);
  });

  test('a secret with one character changed is refused by its checksum', () => {
    const secret = newSecret();
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 45 }), fc.constantFrom(...BASE62), (at, char) => {
        const changed = secret.slice(0, at) + char + secret.slice(at + 1);
        expect(isSecret(changed)).toBe(changed === secret);
      }),
    );
  });

  test('a licence is not a secret, nor the reverse', () => {
    expect(isLicence(newLicence())).toBe(true);
    expect(isSecret(newLicence())).toBe(false);
    expect(isLicence(newSecret())).toBe(false);
  });
});
