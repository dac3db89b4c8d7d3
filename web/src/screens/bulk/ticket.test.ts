import { expect, test } from 'vitest';
import { rowOf } from './bulk-rows.fixture.ts';
import { ticketOf, VALUES_TOLD_MAX } from './ticket.ts';
import { triageRows } from './triage-view.ts';

const SUM = '3 pasted: 3 checked = 2 block + 0 look + 1 unknown + 0 ignore';
const NOW_MS = Date.UTC(2026, 10, 15, 16, 12);
const defang = (entity: string) => entity.replaceAll('.', '[.]');
const ticket = (rows: Parameters<typeof triageRows>[0]) =>
  ticketOf({ decision: 'block', rows: triageRows(rows), sum: SUM, nowMs: NOW_MS, defang });

test('has the counts, the causes and the values, defanged', () => {
  const text = ticket([
    rowOf('45.155.205.30', {
      type: 'ip',
      isMalicious: true,
      riskLevel: 'critical',
      categories: ['c2', 'botnet'],
      malwareFamily: 'Emotet',
      asn: 64_500,
      asnName: 'EXAMPLE',
      countryCode: 'NL',
      firstSeen: '2026-10-01T00:00:00.000Z',
      lastSeen: '2026-11-14T09:00:00.000Z',
    }),
    rowOf('bad.example', { riskLevel: 'high', categories: ['c2'], firstSeen: '2026-11-01T00:00:00.000Z' }),
  ]);
  expect(text.split('\n')).toEqual([
    'Block: 2 indicators. The service recommends to block or to escalate these.',
    'Verdicts: Malicious 1, High risk 1.',
    'Causes: c2 2, botnet 1.',
    'Families: Emotet 1.',
    '- 45[.]155[.]205[.]30: Malicious, c2, botnet, Emotet, AS64500 EXAMPLE, NL, seen 2026-11-14',
    '- bad[.]example: High risk, c2, listed since 2026-11-01',
    'Checked with Assay. 3 pasted: 3 checked = 2 block + 0 look + 1 unknown + 0 ignore. Copied 2026-11-15 16:12:00 UTC.',
    '',
  ]);
});

test('names the first values and counts the rest', () => {
  const text = ticket(Array.from({ length: VALUES_TOLD_MAX + 7 }, (_, n) => rowOf(`h${n}.example`)));
  expect(text.match(/^- /gm)).toHaveLength(VALUES_TOLD_MAX);
  expect(text).toContain('and 7 more, in the CSV.');
});

test.each(['Evil\nBlock: nothing', 'Evil\r\nx', 'Evil\u2028x', 'Evil\u202Etxt'])(
  'a family called %j adds no line and hides nothing',
  (malwareFamily) => {
    const text = ticket([rowOf('bad.example', { malwareFamily })]);
    expect(text.split('\n')).toHaveLength(6);
    expect(text).not.toMatch(/[\r\u2028\u202E]/);
  },
);
