import { expect, test } from 'vitest';
import { type RecentCheck, readRecent, withCheck } from './recent.ts';

const check = (value: string): RecentCheck => ({
  type: 'ip',
  value,
  word: 'Suspicious',
  tone: 'suspicious',
  at: '2026-11-15T16:10:41.000Z',
});

test('the newest is first, and the oldest go after twenty', () => {
  const all = Array.from({ length: 25 }, (_, n) => check(`192.0.2.${n}`));
  const kept = all.reduce<readonly RecentCheck[]>(withCheck, []);
  expect(kept).toHaveLength(20);
  expect(kept[0]?.value).toBe('192.0.2.24');
  expect(kept.at(-1)?.value).toBe('192.0.2.5');
});

test('an indicator that is checked again is listed once, with its new verdict', () => {
  const recent = [check('192.0.2.1'), check('192.0.2.2')];
  const again = { ...check('192.0.2.2'), word: 'Malicious' };
  expect(withCheck(recent, again)).toEqual([again, recent[0]]);
});

test.each([
  ['nothing', null, 0],
  ['broken text', '[{', 0],
  ['no list', '{"a":1}', 0],
  [
    'strange entries',
    JSON.stringify([
      null,
      7,
      { ...check('a'), type: 'email' },
      { value: 'a' },
      { ...check('a'), word: 'w'.repeat(41) },
      { ...check('a'), at: 'yesterday' },
      check('b'),
    ]),
    1,
  ],
])('%s in the storage is read as %#', (_name, text, count) => {
  expect(readRecent(text)).toHaveLength(count);
});

test('what was written is read back', () => {
  const recent = [check('192.0.2.1')];
  expect(readRecent(JSON.stringify(recent))).toEqual(recent);
});
