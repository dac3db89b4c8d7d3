import { describe, expect, test } from 'vitest';
import { rowOf } from './bulk-rows.fixture.ts';
import { chosenOf } from './chosen-rows.ts';
import { fileName, rowsAsCsv, rowsAsJson, rowsAsLines } from './export-rows.ts';
import { triageRows } from './triage-view.ts';

const ROWS = triageRows([
  rowOf('bad.example', {
    isMalicious: true,
    riskScore: 95,
    riskLevel: 'critical',
    categories: ['c2', 'botnet'],
  }),
  rowOf('=cmd|calc', { error: 'Not an indicator, "really".', type: 'unknown' }),
]);

describe('an export', () => {
  test('as CSV has the columns of the service, then word, family, network and dates, and no formula', () => {
    expect(rowsAsCsv(ROWS).split('\r\n')).toEqual([
      'entity,type,isMalicious,confidence,sources,categories,riskScore,riskLevel,recommendedAction,analystStatus,lookupStatus,observedAt,error,word,malwareFamily,asn,asnName,countryCode,firstSeen,lastSeen',
      'bad.example,domain,true,20,0,"c2;botnet",95,critical,block,new,,2026-11-15T16:00:00.000Z,,Malicious,,,,,,',
      `'=cmd|calc,unknown,false,20,0,,0,inconclusive,unverified,new,,2026-11-15T16:00:00.000Z,"Not an indicator, ""really"".",Not checked,,,,,,`,
      '',
    ]);
  });

  test('as JSON is what the service sent, with the word', () => {
    expect(JSON.parse(rowsAsJson(ROWS))).toEqual(
      ROWS.map(({ row, verdict }) => ({ verdict: verdict.word, ...row })),
    );
  });

  test('as text has one indicator a line', () => {
    expect(rowsAsLines(ROWS)).toBe('bad.example\n=cmd|calc\n');
  });

  test('is named after its group and the minute', () => {
    expect(fileName('csv', Date.UTC(2026, 10, 15, 16, 12))).toBe('bulk-check-2026-11-15T1612.csv');
    expect(fileName('csv', Date.UTC(2026, 10, 15, 16, 12), 'block')).toBe(
      'bulk-check-block-2026-11-15T1612.csv',
    );
  });

  test('contains the selection, or everything shown without one', () => {
    expect(chosenOf(ROWS, new Set())).toEqual(ROWS);
    expect(chosenOf(ROWS, new Set(['bad.example']))).toEqual([ROWS[0]]);
  });

  test('never holds a row that the filter hides', () => {
    expect(chosenOf(ROWS.slice(1), new Set(['bad.example']))).toEqual([]);
  });
});
