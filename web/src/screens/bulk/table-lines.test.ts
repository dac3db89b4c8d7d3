import { expect, test } from 'vitest';
import { rowOf } from './bulk-rows.fixture.ts';
import { columnsOf, widthsOf } from './table-columns.ts';
import { keyOf, type Line, tableLines } from './table-lines.ts';
import { arrange, triageRows, viewOf } from './triage-view.ts';

const ROWS = arrange(
  triageRows([
    rowOf('unlisted.example'),
    rowOf('bad.example', { riskLevel: 'critical', riskScore: 95 }),
    rowOf('tor.example', { riskLevel: 'high', infrastructure: { attributes: ['tor-exit'] } }),
    rowOf('worse.example', { riskLevel: 'critical', riskScore: 99 }),
    rowOf('broken.example', { error: 'Failed.' }),
  ]),
  viewOf({}),
);
const wordsOf = (line: Line): string =>
  line.kind === 'row'
    ? line.triage.row.entity
    : `${line.kind} ${line.kind === 'group' ? line.decision : line.part.id} ${line.count}`;

test('the table has a head for each group and each part that has rows, with their counts', () => {
  expect(tableLines(ROWS).lines.map(wordsOf)).toEqual([
    'group block 3',
    'part threats 2',
    'worse.example',
    'bad.example',
    'part block-shared 1',
    'tor.example',
    'group look 1',
    'part unanswered 1',
    'broken.example',
    'group unknown 1',
    'part unlisted 1',
    'unlisted.example',
  ]);
});

test('every row knows its line, and every line has a key of its own', () => {
  const { lines, lineOfRow } = tableLines(ROWS);
  expect(lineOfRow.map((at) => lines[at]).map((line) => line && wordsOf(line))).toEqual(
    ROWS.map(({ row }) => row.entity),
  );
  expect(new Set(lines.map(keyOf)).size).toBe(lines.length);
});

test('a column that no row fills is left out', () => {
  const names = (rows: typeof ROWS) => columnsOf(rows).map(({ name }) => name);
  expect(names(ROWS)).toEqual(['verdict', 'score', 'indicator', 'cause', 'sources']);
  const full = triageRows([
    rowOf('8.8.8.8', {
      malwareFamily: 'Emotet',
      asn: 64_500,
      countryCode: 'NL',
      firstSeen: '2026-11-01T00:00:00.000Z',
    }),
  ]);
  expect(names(full)).toEqual([
    'verdict',
    'score',
    'indicator',
    'cause',
    'family',
    'network',
    'country',
    'seen',
    'sources',
  ]);
  expect(widthsOf(columnsOf(full)).startsWith('32px 136px')).toBe(true);
});
