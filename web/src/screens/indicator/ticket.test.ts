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

test('six lines: verdict, reasons, context, action, sources, time and link', () => {
  expect(ticketOf(stateAfter(IP, FINISHED), DEFANGED, LINK).split('\n')).toEqual([
    '185[.]220[.]101[.]34 (IPv4 address): Suspicious, risk 48 of 100, confidence 79 (high).',
    'Why: Log4j exploit sources lists it for exploit attempts, last seen 40 hours ago. Data-Shield lists it for brute-force attempts, last seen 40 hours ago.',
    'Context: a Tor exit; describes it, does not raise the score.',
    'Do: Have a person look at it. Do not block outright.',
    'Sources: 2 lists (data 40 h old): Log4j exploit sources, Data-Shield.',
    `Checked 2026-11-15 16:10:41 UTC with Assay: ${LINK}`,
  ]);
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
    'Sources: 7 lists of 51 that cover this kind (data 40 h old): List 0, List 1, List 2, List 3, List 4 and 2 more.',
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
    expect(text.split('\n')).toHaveLength(6);
    expect(text).not.toMatch(/[\r\u2028\u202E]/);
  });
});
