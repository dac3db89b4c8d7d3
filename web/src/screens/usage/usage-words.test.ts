import { expect, test } from 'vitest';
import {
  monthSentence,
  nextMonth,
  requestsSentence,
  shareOf,
  statusWord,
  storageSentence,
} from './usage-words.ts';

const MIDDLE = Date.parse('2026-11-16T00:00:00Z');

test('the sentence of a month says what is left and where the pace leads', () => {
  expect(monthSentence({ used: 100, limit: 500 }, 'check', MIDDLE)).toBe(
    '100 of 500 checks used this month, 400 left. At this pace it will be 200.',
  );
  expect(monthSentence({ used: 400, limit: 500 }, 'check', MIDDLE)).toContain(
    '800, more than the plan allows',
  );
  expect(monthSentence({ used: 600, limit: 500 }, 'check', MIDDLE)).toContain('0 left');
  expect(monthSentence({ used: 0, limit: 0 }, 'scan', MIDDLE)).toBe('The plan has no scans.');
});

test('the first days of a month are not projected', () => {
  const second = Date.parse('2026-11-02T00:00:00Z');
  expect(monthSentence({ used: 100, limit: 500 }, 'check', second)).not.toContain('pace');
});

test('the sentence of storage says how much there is and what takes most of it', () => {
  const byKind = {
    report: 60_000,
    case: 4_000,
    inventory: 0,
    webhook: 0,
    watch: 0,
    indicator: 0,
    reply: 300,
  };
  expect(storageSentence({ used: 64_300, limit: 104_857_600, byKind })).toBe(
    '62.8 KiB of 100 MiB stored. Most of it is reports: 58.6 KiB.',
  );
  expect(
    storageSentence({ used: 0, limit: 104_857_600, byKind: { ...byKind, report: 0, case: 0, reply: 0 } }),
  ).toBe('0 bytes of 100 MiB stored.');
});

test('a month turns on the 1st in UTC', () => {
  expect(nextMonth(MIDDLE)).toBe('2026-12-01');
  expect(nextMonth(Date.parse('2026-12-31T23:59:59Z'))).toBe('2027-01-01');
});

test('the days of a period are summed up, and an empty one has no busiest day', () => {
  const requests = { total: 3, byDay: [{ day: '2026-11-16', count: 3 }], byEndpoint: [], byStatus: {} };
  const of = { period: { from: '2026-11-16', to: '2026-11-16' }, requests } as never;
  expect(requestsSentence(of)).toBe('3 requests from 2026-11-16 to 2026-11-16, the most on 2026-11-16: 3.');
});

test('a status class has a word, and a share is of all', () => {
  expect(statusWord('4xx')).toBe('4xx refused');
  expect(shareOf(1, 4)).toBe('25.0 %');
  expect(shareOf(0, 0)).toBe('');
});
