import { expect, test } from 'vitest';
import { newId, ulid } from './ids.ts';

test('ids carry their prefix and sort by time', () => {
  const early = newId('usr', Date.UTC(2026, 0, 1));
  const late = newId('usr', Date.UTC(2026, 0, 2));
  expect(early).toMatch(/^usr_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(early < late).toBe(true);
});

test('ids of one millisecond differ', () => {
  expect(new Set(Array.from({ length: 10_000 }, () => ulid(0))).size).toBe(10_000);
});
