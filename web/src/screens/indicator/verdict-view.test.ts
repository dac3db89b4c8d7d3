import { describe, expect, test } from 'vitest';
import * as phase from './check-state.fixture.ts';
import { evidence, IP, riskScore, stateAfter } from './check-state.fixture.ts';
import { afterHappening, started } from './check-state.ts';
import { spokenFirst, spokenLast, verdictView } from './verdict-view.ts';

const quiet = phase.reputation({ blocklistHits: 0, blocklistListed: false, sources: [] });
const unknown = phase.insights({
  riskScore: riskScore(0, 'inconclusive'),
  evidence: evidence({ verdict: 'unknown', score: 0, recommendedAction: 'unverified' }),
});

describe('before there is a verdict', () => {
  test.each([
    ['no phase has arrived', [], 'Checking', 'neutral'],
    ['no list names it', [quiet], 'Checking', 'neutral'],
    ['lists name it', [phase.reputation()], 'Listed, score to come', 'neutral'],
    ['a scanner accuses', [phase.reputation({ malicious: true })], 'Malicious', 'malicious'],
    [
      'no source has seen the file',
      [phase.reputation({ blocklistHits: 0, sources: [], lookupStatus: 'unknown' })],
      'Not seen',
      'unknown',
    ],
  ])('%s', (_name, phases, word, tone) => {
    const view = verdictView(stateAfter(IP, phases));
    expect(view).toMatchObject({ word, tone, isProvisional: true, risk: null });
  });
});

test.each([
  ['Not finished', [quiet]],
  ['Listed, no score', [phase.reputation()]],
])('a check that was cut before the score says %s, and promises nothing', (word, phases) => {
  const cut = afterHappening(stateAfter(IP, phases), { kind: 'left' });
  expect(verdictView(cut)).toMatchObject({ word, risk: null, isProvisional: true });
});

test('the first phase is enough when it includes the verdict', () => {
  const verdict = { riskScore: riskScore(48, 'medium'), confidence: CONFIDENCE(), evidence: evidence() };
  const view = verdictView(stateAfter(IP, [phase.reputation({ verdict } as never)]));
  expect(view).toMatchObject({ word: 'Suspicious', risk: 48, isProvisional: true });
});
function CONFIDENCE() {
  return { score: 79, level: 'high', explanation: '' } as const;
}

test('Provisional goes with the last phase and not before', () => {
  const phases = [phase.reputation(), phase.basic(), phase.insights(), phase.enrichment(), phase.done];
  const marks = phases.map((_, at) => verdictView(stateAfter(IP, phases.slice(0, at + 1))).isProvisional);
  expect(marks).toEqual([true, true, true, true, false]);
});

test('an unknown indicator has no score: a zero would read as an answer', () => {
  const view = verdictView(stateAfter(IP, [quiet, unknown, phase.done]));
  expect(view).toMatchObject({ word: 'Not listed', tone: 'unknown', risk: null });
  expect(JSON.stringify(view)).not.toMatch(/\bclean\b|\bsafe\b/i);
});

test('announcements: the first verdict, then the end', () => {
  const state = stateAfter(IP, [phase.reputation()]);
  expect(spokenFirst(state)).toBe('185.220.101.34: Listed, score to come, provisional. 2 sources list it.');
  expect(spokenLast(stateAfter(IP, [phase.reputation(), phase.insights(), phase.done]))).toBe(
    'Check finished. Suspicious, risk 48 of 100, confidence 79, high.',
  );
  expect(spokenLast(started(IP, 0))).toBe('Check finished. Checking, no score.');
});
