import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frame } from '#platform/http/sse.ts';
import { createSecrets } from '#platform/secrets.ts';
import { indicatorOf, NOW_MS } from '#test/check-deps.ts';
import { bySize } from '#test/lane.ts';
import { createStreamMarks, LAST_PLACE, type MarkOwner, placeOf } from './stream-mark.ts';

const OLD = `1:${'o'.repeat(32)}`;
const NEW = `2:${'n'.repeat(32)}`;
const VALID_MS = 120_000;

const marksAt = (nowMs: number, secret = OLD) =>
  createStreamMarks({ clock: { now: () => nowMs }, secrets: createSecrets(secret) });
const marks = marksAt(NOW_MS);
const mark = { seen: 3, startedMs: NOW_MS };
const owner: MarkOwner = {
  principal: { kind: 'key', id: 'key_1', accountId: 'usr_1' },
  indicator: indicatorOf('evil.com'),
};
const text = marks.write(owner, mark);

test('a mark is valid for the same caller and target, on any node', () => {
  expect(marks.read(owner, text)).toEqual(mark);
  expect(marksAt(NOW_MS + 1).read({ ...owner, indicator: indicatorOf('EVIL[.]com') }, text)).toEqual(mark);
});

test('a mark has only characters that an event id may have', () => {
  const secret = `65535:${'x'.repeat(32)}`;
  const longest = marksAt(8_640_000_000_000_000, secret).write(owner, {
    seen: LAST_PLACE,
    startedMs: 8_640_000_000_000_000,
  });
  expect(frame(longest, null)).toContain(longest);
  expect(marksAt(8_640_000_000_000_000, secret).read(owner, longest)).not.toBeNull();
});

describe('a mark is invalid', () => {
  const others: readonly [string, MarkOwner][] = [
    ['for another key', { ...owner, principal: { ...owner.principal, id: 'key_2' } }],
    ['for the same account in a session', { ...owner, principal: { ...owner.principal, kind: 'session' } }],
    ['for another account', { ...owner, principal: { ...owner.principal, accountId: 'usr_2' } }],
    ['for another target', { ...owner, indicator: indicatorOf('www.evil.com') }],
    ['for a page of the target', { ...owner, indicator: indicatorOf('http://evil.com/') }],
  ];
  test.each(others)('%s', (_whom, other) => {
    expect(marks.read(other, text)).toBeNull();
  });

  test('after two minutes, and when the clock went back further than that', () => {
    for (const offMs of [VALID_MS, -VALID_MS])
      expect(marksAt(NOW_MS + offMs).read(owner, text)).toEqual(mark);
    for (const offMs of [VALID_MS + 1, -VALID_MS - 1])
      expect(marksAt(NOW_MS + offMs).read(owner, text)).toBeNull();
  });

  test('once its secret is retired; until then new marks use the new secret and old marks stay valid', () => {
    const both = marksAt(NOW_MS, `${NEW},${OLD}`);
    expect(both.read(owner, text)).toEqual(mark);
    expect(both.write(owner, mark)).toMatch(/^3\.2\./);
    expect(marksAt(NOW_MS, NEW).read(owner, text)).toBeNull();
    expect(marksAt(NOW_MS, NEW).read(owner, text.replace('.1.', '.2.'))).toBeNull();
  });

  test('with any character changed, cut off or added, or sent twice', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: text.length - 1 }),
        fc.constantFrom(...'0123456789azAZ-_.'.split('')),
        (at, char) => {
          const changed = `${text.slice(0, at)}${char}${text.slice(at + 1)}`;
          if (changed !== text) expect(marks.read(owner, changed)).toBeNull();
          expect(marks.read(owner, text.slice(0, at))).toBeNull();
          expect(marks.read(owner, text.slice(0, at) + char + text.slice(at))).toBeNull();
        },
      ),
      { numRuns: bySize(200, 1_000) },
    );
    expect(marks.read(owner, [text, text])).toBeNull();
  });

  test('when the caller made it up', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^\d\.\d{1,5}\.[0-9a-z]{1,11}\.[\w-]{22}$/)),
        (sent) => {
          expect(marks.read(owner, sent)).toBeNull();
        },
      ),
    );
    expect(marks.read(owner, undefined)).toBeNull();
  });
});

test('each phase has its number in the order of the contract, and an error has none', () => {
  const phases = ['reputation', 'basic', 'insights', 'dns', 'enrichment', 'done'] as const;
  expect(phases.map(placeOf)).toEqual([1, 2, 3, 4, 5, LAST_PLACE]);
  expect(placeOf('error')).toBeNull();
});
