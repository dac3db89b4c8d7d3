import { expect, test } from 'vitest';
import { parseIndicator } from '#domain/indicator/index.ts';
import { createKeyWriter } from './indicator-key.ts';
import { textOfKey } from './indicator-of-key.ts';
import { parentKeyOf } from './parent-key.ts';

function parentOf(text: string): string | null {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  const key = parentKeyOf(createKeyWriter(), parsed.indicator);
  return key === null ? null : textOfKey(key);
}

test('a URL lies on its host, which may be a name or an address', () => {
  expect(parentOf('http://a.b.example.com/x?y')).toBe('a.b.example.com');
  expect(parentOf('http://11.22.33.44:8080/x')).toBe('11.22.33.44');
  expect(parentOf('http://[2a0b:f4c2::1]/x')).toBe('2a0b:f4c2::1');
  expect(parentOf('https://tenant.github.io/login')).toBe('tenant.github.io');
});

test('a name lies below its registrable domain, however deep', () => {
  expect(parentOf('a.example.com')).toBe('example.com');
  expect(parentOf('a.b.c.example.co.uk')).toBe('example.co.uk');
});

test('a registrable domain has no parent', () => {
  expect(parentOf('example.com')).toBeNull();
  expect(parentOf('example.co.uk')).toBeNull();
});

test('a tenant of a platform has neither the platform nor a name above it as parent', () => {
  expect(parentOf('tenant.github.io')).toBeNull();
  expect(parentOf('www.tenant.github.io')).toBeNull();
  expect(parentOf('bucket.s3.amazonaws.com')).toBeNull();
});

test('addresses, ranges, digests and mail addresses have no parent', () => {
  for (const text of ['11.22.33.44', '11.22.33.0/24', '2a0b:f4c2::1', 'aa'.repeat(16), 'who@a.example.com'])
    expect(parentOf(text), text).toBeNull();
});
