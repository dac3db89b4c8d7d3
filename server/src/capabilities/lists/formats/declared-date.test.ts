import { describe, expect, test } from 'vitest';
import { declaredDate, readDate, serialDate } from './declared-date.ts';
import { readText, TEXT_FORMATS } from './text-formats.fixture.ts';

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

describe('a header comment that dates the file', () => {
  test.each([
    ['# Last modified: 2026-07-06 00:40:19 UTC', '2026-07-06T00:40:19.000Z'],
    ['! Updated: 2025-07-19T12:11:28Z', '2025-07-19T12:11:28.000Z'],
    ['; Updated: 2025-07-19T12:11:28+02:00', '2025-07-19T10:11:28.000Z'],
    ['# This File Date  : Sat Aug 22 06:00:23 UTC 2026', '2026-08-22T06:00:23.000Z'],
    ['# Source File Date: Sun Feb  2 06:24:13 UTC 2025', '2025-02-02T06:24:13.000Z'],
    ['# Last update: Sat, 22 Aug 2026 03:00:29 +0200', '2026-08-22T01:00:29.000Z'],
    ['# Date: 20 August 2026 14:01:15 (UTC)', '2026-08-20T14:01:15.000Z'],
    ['; Last-Modified: Sat, 22 Aug 2026 12:00:00 GMT', '2026-08-22T12:00:00.000Z'],
    ['# Last updated: 2026-08-22 05:00:12 (UTC)       #', '2026-08-22T05:00:12.000Z'],
    ['# Date: 2026-07-20T05:54:09.443846', '2026-07-20T05:54:09.000Z'],
    ['# Generated on: 2026-07-20', '2026-07-20T00:00:00.000Z'],
    ['# Version: 2026.08.22', '2026-08-22T00:00:00.000Z'],
    ['# Version: 202608221201', '2026-08-22T12:01:00.000Z'],
    ['! Version: 2026.0822.1811.39', '2026-08-22T18:11:39.000Z'],
  ])('%s', (comment, date) => {
    expect(iso(declaredDate(comment))).toBe(date);
  });

  test.each([
    '# Updated: 8/5/2026  18:34 (6:34 PM CST)',
    '# Updated by upstream monitoring',
    '# Version: 2089',
    '# Version: 1752927088',
    '# Version: 03.20.184908.2025',
    '# Expires: 2026-08-22',
    '# Next update: 2026-08-22',
    '# Date: 2026-02-30',
    '# Date: 2026-13-01',
    '# Date: 1999-12-31',
    '# Date: 2101-01-01',
    '# Date: 2026-08-22 25:00:00',
    '# Date: Sat Aug 22 06:00:23 XYZ 2026',
    '# our list of 2026-08-22',
    `# Date: 2026-08-22${' '.repeat(200)}`,
  ])('is not read out of %s', (comment) => {
    expect(declaredDate(comment)).toBeNull();
  });
});

test.each([
  ['2024-09-01', '2024-09-01T00:00:00.000Z'],
  ['2024-09-01 10:11:12', '2024-09-01T10:11:12.000Z'],
  ['2024-09-01 10:11:12 UTC', '2024-09-01T10:11:12.000Z'],
  ['1752927088', '2025-07-19T12:11:28.000Z'],
  ['1752927088.5', '2025-07-19T12:11:28.500Z'],
  ['1752927088123', '2025-07-19T12:11:28.123Z'],
  ['20240901', '2024-09-01T00:00:00.000Z'],
  ['', null],
  ['yesterday', null],
  ['12345678', null],
])('a cell with %j is the date %s', (text, date) => {
  expect(iso(readDate(text))).toBe(date);
});

test.each([
  ['2026082203', '2026-08-22T00:00:00.000Z'],
  ['1752927088', '2025-07-19T12:11:28.000Z'],
  ['1', null],
])('the serial %s of a zone is %s', (serial, date) => {
  expect(iso(serialDate(serial))).toBe(date);
});

test('only comments before the first entry date the file', () => {
  const text = '# Updated: 2026-08-01\n# Updated: 2026-08-02\nevil.example.com\n# Updated: 2026-08-03\n';
  for (const name of ['plain', 'hosts', 'sectioned', 'csv'] as const)
    expect(readText(TEXT_FORMATS[name], [text]).dates.map(iso), name).toEqual([
      '2026-08-01T00:00:00.000Z',
      '2026-08-02T00:00:00.000Z',
    ]);
});
