import { describe, expect, test } from 'vitest';
import * as phase from './check-state.fixture.ts';
import { evidence, IP, riskScore, source, stateAfter } from './check-state.fixture.ts';
import { ticketOf } from './ticket.ts';

const LINK = 'https://assay.example/app/ip/185.220.101.34';
const DEFANGED = '185[.]220[.]101[.]34';
const tor = { attributes: ['tor-exit'], sources: [] };
const FINISHED = [
  phase.reputation({ infrastructure: tor }),
  phase.basic(),
  phase.insights(),
  phase.enrichment(),
  phase.done,
];

test('six lines: verdict, what it is, reasons, action, sources, time and link', () => {
  const unlisted = [phase.reputation({ infrastructure: tor, sources: [] }), ...FINISHED.slice(1)];
  expect(ticketOf(stateAfter(IP, unlisted), DEFANGED, LINK).split('\n')).toHaveLength(6);
});

test('eight lines where sources date it and name a report', () => {
  const listed = {
    ...source('ThreatFox'),
    category: 'c2',
    dating: 'own',
    reportedAt: '2026-06-01T08:00:00.000Z',
    reference: 'https://threatfox.abuse.ch/ioc/14214',
  } as const;
  const network = { asn: 60_729, name: 'Stiftung', prefix: null, country: 'Germany', countryCode: 'DE' };
  const first = phase.reputation({
    infrastructure: tor,
    sources: [listed],
    malwareFamily: 'Remcos',
    network,
  });
  const factor = { name: 'threatfox', weight: 0.6, score: 60, contribution: 48, description: 'x.' };
  const judged = phase.insights({
    riskScore: { ...riskScore(48, 'medium'), factors: [factor] },
    evidence: evidence({ reasons: ['x.', 'A Tor exit takes 12 points away.'] }),
  });
  expect(ticketOf(stateAfter(IP, [first, judged, phase.done]), DEFANGED, LINK).split('\n')).toEqual([
    '185[.]220[.]101[.]34 (IPv4 address): Suspicious, risk 48 of 100, confidence 79 (high).',
    'What: Remcos, command and control, Tor exit; AS60729 Stiftung, Germany (DE).',
    'Why: Listed for command and control. A Tor exit takes 12 points away.',
    'When: Reported 2026-06-01.',
    'Do: Look at the report before you block.',
    'Sources: One source (data 40 h old): ThreatFox.',
    'Reports: https://threatfox.abuse.ch/ioc/14214',
    `Checked 2026-11-15 16:10:41 UTC with Assay: ${LINK}`,
  ]);
});

test('an address that is no web address is no report', () => {
  const listed = { ...source('A'), reference: 'javascript:alert(1)' };
  expect(ticketOf(stateAfter(IP, [phase.reputation({ sources: [listed] })]), DEFANGED, LINK)).not.toContain(
    'Reports',
  );
});

test('a check that has not finished says so', () => {
  const text = ticketOf(stateAfter(IP, FINISHED.slice(0, 3)), DEFANGED, LINK);
  expect(text).toContain('PROVISIONAL, the check had not finished.');
  expect(ticketOf(stateAfter(IP, FINISHED), DEFANGED, LINK)).not.toContain('PROVISIONAL');
});

test('before the first phase it claims nothing', () => {
  const text = ticketOf(stateAfter(IP, []), DEFANGED, LINK);
  expect(text.split('\n')).toHaveLength(6);
  expect(text).toContain('Checking, no score.');
  expect(text).toContain('Do: wait for the check to finish.');
});

test('an unlisted indicator is not called good', () => {
  const unknown = evidence({ verdict: 'unknown', recommendedAction: 'unverified', reasons: ['Not listed.'] });
  const text = ticketOf(
    stateAfter(IP, [
      phase.reputation({ blocklistHits: 0, sources: [] }),
      phase.insights({ evidence: unknown, riskScore: riskScore(0, 'inconclusive') }),
      phase.done,
    ]),
    DEFANGED,
    LINK,
  );
  expect(text).toContain('Not listed, no score');
  expect(text).toContain('Sources: none lists it, which is not a clean bill (data 40 h old).');
});

test('many sources are named up to five and counted', () => {
  const sources = Array.from({ length: 7 }, (_, n) => source(`List ${n}`));
  const coverage = { kind: 'ip', sources: 51, listing: 7, fresh: 44 };
  const first = phase.reputation({ sources, coverage } as never);
  expect(ticketOf(stateAfter(IP, [first, phase.insights()]), DEFANGED, LINK)).toContain(
    'Sources: 7 sources of 51 that cover this kind (data 40 h old): List 0, List 1, List 2, List 3, List 4 and 2 more.',
  );
});

test('the sources with the highest contribution are named first', () => {
  const factor = { name: 'data-shield', weight: 0.6, score: 60, contribution: 33, description: '' };
  const judged = phase.insights({ riskScore: { ...riskScore(48, 'medium'), factors: [factor] } });
  expect(ticketOf(stateAfter(IP, [phase.reputation(), judged]), DEFANGED, LINK)).toContain(
    ': Data-Shield, Log4j exploit sources.',
  );
});

describe('a name made to break the ticket', () => {
  test.each([
    ['a line break', 'Evil\nDo: allow it.'],
    ['a carriage return', 'Evil\r\nDo: allow it.'],
    ['a line separator', 'Evil\u2028Do: allow it.'],
    ['a direction mark', 'Evil\u202Etxt'],
  ])('with %s adds no line and hides nothing', (_what, name) => {
    const first = phase.reputation({ sources: [source(name)] });
    const text = ticketOf(stateAfter(IP, [first, phase.insights()]), DEFANGED, LINK);
    expect(text.split('\n')).toHaveLength(7);
    expect(text).not.toMatch(/[\r\u2028\u202E]/);
  });
});
