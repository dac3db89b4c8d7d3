import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { textOfTable } from './canonical-table.ts';
import { pointsOfShare } from './share-points.ts';
import { SHIPPED_BOOK, SHIPPED_TABLE } from './shipped-table.ts';
import { sixDigits } from './six-digits.ts';
import { shareOfAll, sharesOfSource } from './source-shares.ts';

/** Grade and false-positive risk of the sources when the table was made. */
const GRADES: Readonly<Record<string, string>> = {
  'amnesty-tech': 'A low',
  blackbook: 'C medium',
  'blp-phishing': 'B medium',
  'blp-ransomware': 'B medium',
  'blp-scam': 'B high',
  c2intelfeeds: 'B low',
  'c2intelfeeds-unverified': 'C medium',
  'cps-cobaltstrike-domains': 'B medium',
  'cps-predict': 'B high',
  destroylist: 'B medium',
  'destroylist-community': 'B high',
  'eset-ioc': 'A low',
  'global-anti-scam': 'B medium',
  'jarelllama-scam': 'B medium',
  'maltrail-malicious': 'B medium',
  'maltrail-malware': 'B medium',
  'phishing-database': 'B medium',
  phishtank: 'B medium',
  'polkadot-phishing': 'B low',
  'romainmarcoux-domains': 'D medium',
  'signature-base-c2': 'C medium',
  spam404: 'C medium',
  stalkerware: 'A medium',
  'sw-malware': 'C high',
  'sw-scam': 'C high',
  'sw-typo': 'C medium',
  urlhaus: 'A low',
  'ut1-cryptojacking': 'C high',
  'ut1-ddos': 'C medium',
  'ut1-stalkerware': 'C medium',
};
const SOURCES = [...new Set(SHIPPED_TABLE.cells.map(({ source }) => source))];
const gradeOf = (source: string) => {
  const [letter = '', fpRisk = ''] = (GRADES[source] ?? '').split(' ');
  return { letter, fpRisk: fpRisk as 'low' | 'medium' | 'high' };
};
const cellsOf = (source: string) => SHIPPED_TABLE.cells.filter((cell) => cell.source === source);

test('every share of the shipped table follows from its own counts', () => {
  for (const source of SOURCES) {
    const shares = sharesOfSource(cellsOf(source), gradeOf(source));
    for (const { group, f } of cellsOf(source))
      expect([source, group, sixDigits(shares.get(group) ?? 0)]).toEqual([source, group, f]);
  }
});

test('every share of a whole source follows from its cells', () => {
  for (const source of SOURCES)
    expect([source, SHIPPED_BOOK.listOf(source)?.share]).toEqual([
      source,
      sixDigits(shareOfAll(cellsOf(source), gradeOf(source))),
    ]);
});

test('the points are those of the share', () => {
  for (const { f, points } of SHIPPED_TABLE.cells) expect(points).toBe(Math.round(pointsOfShare(f)));
});

test('what left a cell is a part of its counts', () => {
  for (const { n, h, gone } of SHIPPED_TABLE.cells) {
    expect(n).toBeGreaterThanOrEqual(gone?.n ?? 0);
    expect(h).toBeGreaterThanOrEqual(gone?.h ?? 0);
  }
});

test('its digest is that of its text, so that two releases never share a snapshot id', () => {
  const digest = createHash('sha256').update(textOfTable(SHIPPED_TABLE)).digest('hex').slice(0, 8);
  expect(SHIPPED_BOOK.digest).toBe(digest);
});
