import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BulkRow } from './contract.ts';
import { presentCsv } from './present-csv.ts';

const HEADER =
  'entity,type,isMalicious,confidence,sources,categories,riskScore,riskLevel,recommendedAction,analystStatus,lookupStatus,observedAt,error,word,malwareFamily,asn,asnName,countryCode,firstSeen,lastSeen\r\n';
const judged: BulkRow = {
  entity: 'evil.com',
  type: 'domain',
  isMalicious: false,
  confidence: 71,
  sources: 2,
  categories: ['phishing', 'malware'],
  riskScore: 66,
  riskLevel: 'high',
  word: 'High risk',
  malwareFamily: 'Remcos',
  asn: 64_500,
  asnName: 'Example, Inc.',
  countryCode: 'NL',
  firstSeen: '2026-08-01T00:00:00.000Z',
  recommendedAction: 'block',
  analystStatus: 'new',
  observedAt: '2026-08-22T12:00:00.000Z',
  evidence: null,
  error: null,
};
const refused = (entity: string, error: string): BulkRow => ({
  entity,
  type: 'unknown',
  isMalicious: false,
  sources: 0,
  categories: [],
  evidence: null,
  error,
});

/** Characters that CSV or a spreadsheet treats specially, and letters. */
const anyText = fc.string({
  unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', "'", 'a', 'é'),
});

/** Parses RFC 4180 as a spreadsheet does. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === ',' || text.startsWith('\r\n', at)) {
      rows.at(-1)?.push(cell);
      cell = '';
      if (char === '\r') {
        rows.push([]);
        at += 1;
      }
    } else cell += char;
  }
  return rows.slice(0, -1);
}

test('G21: header and rows to the byte; absent fields are empty, categories joined by a semicolon', () => {
  const unknownHash: BulkRow = {
    ...refused('ab'.repeat(16), ''),
    type: 'hash',
    recommendedAction: 'unverified',
    lookupStatus: 'unknown',
    error: null,
  };
  expect(presentCsv([judged, unknownHash, refused('a,"b"', 'Not this; send that.')])).toBe(
    `${HEADER}evil.com,domain,false,71,2,"phishing;malware",66,high,block,new,,2026-08-22T12:00:00.000Z,,High risk,Remcos,64500,"Example, Inc.",NL,2026-08-01T00:00:00.000Z,\r\n` +
      `${'ab'.repeat(16)},hash,false,,0,,,,unverified,,unknown,,,,,,,,,\r\n` +
      '"a,""b""",unknown,false,,0,,,,,,,,"Not this; send that.",,,,,,,\r\n',
  );
  expect(presentCsv([])).toBe(HEADER);
});

test('trap 22: a cell that a spreadsheet would run is neutralised', () => {
  for (const entity of ['=cmd()', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])
    expect(parseCsv(presentCsv([refused(entity, '')]))[1]?.[0], entity).toBe(asSent(entity));
});

/** The entity as sent, with an apostrophe before each start of a formula and a blank for each line end. */
const asSent = (entity: string): string =>
  entity
    .replace(/(?<=^|[;\t])(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g, "'")
    .replace(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g, ' ');

test('every entity is returned as sent, except for guards and line ends, and no cell begins with a formula', () => {
  fc.assert(
    fc.property(anyText, anyText, (entity, error) => {
      const cells = parseCsv(presentCsv([refused(entity, error), judged]))[1] ?? [];
      expect(cells).toHaveLength(20);
      expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
      expect(cells[0]).toBe(asSent(entity));
    }),
  );
});
