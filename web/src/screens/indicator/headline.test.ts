import type { Evidence, RiskScore, SourceEntry } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import { LADDER } from '../../../../server/src/domain/scoring/ladder.ts';
import * as phase from './check-state.fixture.ts';
import { evidence, IP, riskScore, source, stateAfter } from './check-state.fixture.ts';
import { headlineOf } from './headline.ts';
import type { ReputationSeen } from './panels/check-seen.ts';
import { verdictView } from './verdict-view.ts';

type Told = {
  readonly sources?: readonly SourceEntry[];
  readonly level?: RiskScore['level'];
  readonly word?: string;
  readonly action?: Evidence['recommendedAction'];
  readonly independentSources?: number;
  readonly of?: Partial<ReputationSeen>;
};

/** The state after a first phase in which every accuser adds to the score. */
function stateOf({ sources = [], level = 'inconclusive', word, action = 'unverified', ...more }: Told) {
  const accusers = sources.filter(({ threatClass }) => threatClass === 'threat');
  const factors = accusers.map(({ id }, nth) => ({
    name: id,
    weight: 0.5,
    score: 50,
    contribution: 30 - nth,
    description: `${id} says so.`,
  }));
  const score = { ...riskScore(0, level), ...(word !== undefined && { word }), factors };
  const verdict = {
    riskScore: score,
    confidence: { score: 79, level: 'high', explanation: '' },
    classification: { primary: 'unknown', secondary: [], confidence: 0, indicators: [] },
    evidence: evidence({ recommendedAction: action }),
    independentSources: more.independentSources ?? accusers.length,
  };
  return stateAfter(IP, [phase.reputation({ sources, verdict, listings: [], ...more.of } as never)]);
}
const headline = (told: Told) => headlineOf(stateOf(told).phases);

describe('every rung of the ladder', () => {
  const TONES: Readonly<Record<RiskScore['level'], string>> = {
    critical: 'critical-risk',
    high: 'high-risk',
    medium: 'suspicious',
    low: 'reported',
    safe: 'good',
    inconclusive: 'unknown',
  };
  /** Verdict words that have one tone at every level. */
  const TONE_OF_WORD: Readonly<Record<string, string>> = {
    Malicious: 'malicious',
    'Test file': 'high-risk',
    'Vulnerable driver': 'suspicious',
    'Reserved address': 'neutral',
    'Reserved name': 'neutral',
    'Old report': 'neutral',
    'Weak report': 'neutral',
    'Tracking only': 'neutral',
    'Empty file': 'neutral',
  };
  const RUNGS = Object.values(LADDER).flatMap(({ word, action, levels }) =>
    levels.map((level) => ({ word, action, level })),
  );
  const DOES: Readonly<Record<string, string>> = {
    block: 'Block it.',
    review: 'Look at the two reports before you block.',
    monitor: 'Monitor it; do not block.',
    allow: 'Nothing to do.',
    unverified: 'No data about this value. Decide on your own evidence.',
    'not-applicable': "Reputation doesn't apply to it.",
    ignore: 'Ignore it.',
    escalate: 'Ask a second person before you block: strong signals speak for it and against it.',
  };
  test.each(RUNGS)('$word at $level is shown with its colour and its action', (rung) => {
    const sources = [source('A'), source('B')];
    const told = { level: rung.level, word: rung.word, action: rung.action, sources };
    const state = stateOf({
      ...told,
      of: {
        malicious: rung.word === 'Malicious',
        infrastructure: { attributes: rung.word === 'Reserved address' ? ['bogon'] : [], sources: [] },
      },
    });
    const verdict = evidence({
      verdict: rung.level === 'inconclusive' ? 'unknown' : rung.level,
      recommendedAction: rung.action,
    });
    const judged = { ...state.phases.reputation?.verdict, evidence: verdict };
    const view = verdictView({
      ...state,
      phases: { reputation: { ...state.phases.reputation, verdict: judged } as ReputationSeen },
    });
    expect(view.word).toBe(rung.word);
    expect(view.tone).toBe(TONE_OF_WORD[rung.word] ?? TONES[rung.level]);
    expect(headline(told).action).toBe(
      rung.word.startsWith('Platform') ? 'Judge the name below it.' : DOES[rung.action],
    );
  });

  test('a vulnerable driver is not named by the malware of its lists', () => {
    const told = {
      level: 'high',
      word: 'Vulnerable driver',
      action: 'review',
      sources: [source('A')],
    } as const;
    expect(headline(told).name).toBeNull();
  });

  test.each([
    [1, 'Look at the report before you block.'],
    [2, 'Look at the two reports before you block.'],
    [7, 'Look at the 7 reports before you block.'],
    [0, 'Look at the reports before you block.'],
  ])('a review of %i sources', (count, sentence) => {
    const sources = Array.from({ length: count }, (_, n) => source(`List ${n}`));
    expect(headline({ sources, level: 'medium', action: 'review' }).action).toBe(sentence);
  });

  test('before there is a verdict nothing is advised', () => {
    expect(headlineOf(stateAfter(IP, []).phases)).toEqual({
      name: null,
      about: [],
      since: null,
      who: null,
      action: null,
    });
  });
});

describe('the name', () => {
  const c2 = { ...source('ThreatFox'), category: 'c2' };
  const tor = { attributes: ['cloud', 'tor-exit'], sources: [] };
  const lookalike = { of: 'paypal.com', technique: 'typosquat', detail: 'One letter differs.' } as const;
  const service = { name: 'Google Public DNS', operator: 'Google', kind: 'resolver' } as const;
  test.each<readonly [string, Told, unknown, readonly string[]]>([
    [
      'a family',
      { sources: [c2], of: { malwareFamily: 'Remcos', malwareFamilies: ['Remcos'] } },
      { kind: 'family', text: 'Remcos' },
      ['command and control'],
    ],
    [
      'two families',
      { sources: [c2], of: { malwareFamily: 'Remcos', malwareFamilies: ['Remcos', 'AsyncRAT'] } },
      { kind: 'family', text: 'Remcos' },
      ['command and control', 'also AsyncRAT'],
    ],
    [
      'a family on a Tor exit',
      { sources: [c2], of: { malwareFamily: 'Remcos', infrastructure: tor } },
      { kind: 'family', text: 'Remcos' },
      ['command and control', 'Tor exit'],
    ],
    [
      'a Tor exit',
      { of: { infrastructure: tor } },
      { kind: 'label', text: 'Tor exit' },
      ['many unrelated people share this address'],
    ],
    [
      'an accused Tor exit',
      { sources: [source('SSH')], of: { infrastructure: tor } },
      { kind: 'label', text: 'Tor exit' },
      ['brute-force attempts', 'many unrelated people share this address'],
    ],
    [
      'hosting says where, not what',
      { of: { infrastructure: { attributes: ['cloud'], sources: [] } } },
      null,
      [],
    ],
    ['a look-alike', { of: { lookalike } }, { kind: 'lookalike', text: 'Look-alike of paypal.com' }, []],
    [
      'an accused look-alike',
      { sources: [{ ...source('P'), category: 'phishing' }], of: { lookalike } },
      { kind: 'lookalike', text: 'Look-alike of paypal.com' },
      ['phishing'],
    ],
    [
      'a service that the word names',
      { word: 'Common service: Google Public DNS', level: 'safe', of: { service } },
      null,
      ['Public DNS resolver of Google'],
    ],
    [
      'a service that the word does not name',
      { sources: [c2], level: 'low', of: { service } },
      { kind: 'service', text: 'Google Public DNS' },
      ['Public DNS resolver of Google', 'command and control'],
    ],
    [
      'a test file',
      { sources: [{ ...source('EICAR test file'), category: 'test' }] },
      { kind: 'test', text: 'EICAR test file' },
      [],
    ],
    ['an accusation without a name', { sources: [c2] }, { kind: 'cause', text: 'Command and control' }, []],
    [
      'a list of trackers accuses of nothing',
      { sources: [{ ...source('Ads'), category: 'ads' }], word: 'Tracking only' },
      null,
      [],
    ],
    ['nothing known', {}, null, []],
  ])('%s', (_what, told, name, about) => {
    expect(headline(told)).toMatchObject({ name, about });
  });
});

describe('since when, by the word that is true of the date (O55)', () => {
  const own = { ...source('Own'), dating: 'own', reportedAt: '2026-05-03T08:00:00.000Z' } as const;
  const later = { ...source('Later'), dating: 'own', reportedAt: '2026-06-01T08:00:00.000Z' } as const;
  const sighted = {
    ...source('Sighted'),
    dating: 'sighted',
    listedSince: '2026-04-01T00:00:00.000Z',
  } as const;
  const undated = source('Undated');
  const listing = (id: string, lastSeen: string | null, stillListedOn: string | null) => ({
    sourceId: id,
    value: IP.value,
    matchType: 'exact' as const,
    firstSeen: null,
    lastSeen,
    stillListedOn,
    contribution: 1,
  });
  const augustOf = (day: number) => `2026-08-${day}T00:00:00.000Z`;
  test.each<readonly [string, readonly SourceEntry[], readonly ReturnType<typeof listing>[], string | null]>([
    [
      'the source dates the entry',
      [own],
      [listing('own', null, augustOf(20))],
      'Reported 2026-05-03, still listed on 2026-08-20.',
    ],
    [
      'the source dates sightings',
      [own],
      [listing('own', augustOf(12), augustOf(20))],
      'Reported 2026-05-03, last seen 2026-08-12.',
    ],
    [
      'the day it appeared in the list',
      [sighted],
      [listing('sighted', null, augustOf(20))],
      'Listed since 2026-04-01, still listed on 2026-08-20.',
    ],
    [
      'nothing dates it',
      [undated],
      [listing('undated', null, augustOf(20))],
      'No source dates it, still listed on 2026-08-20.',
    ],
    ['nothing at all', [undated], [], 'No source dates it.'],
    [
      'the earliest of two, with its source',
      [later, own],
      [listing('own', null, augustOf(18)), listing('later', null, augustOf(20))],
      'Reported 2026-05-03 by Own, still listed on 2026-08-20.',
    ],
    ['a date of the source before one of the list', [sighted, later], [], 'Reported 2026-06-01 by Later.'],
    ['no accuser', [source('Cloud', 'infrastructure')], [listing('cloud', null, augustOf(20))], null],
  ])('%s', (_what, sources, listings, since) => {
    expect(headline({ sources, of: { listings } }).since).toBe(since);
  });
});

describe('who says so', () => {
  const named = (count: number) => Array.from({ length: count }, (_, n) => source(`List ${n}`));
  test.each([
    [0, 0, null],
    [1, 1, { count: 'One source', names: ['List 0'], more: 0 }],
    [2, 2, { count: '2 independent sources', names: ['List 0', 'List 1'], more: 0 }],
    [3, 2, { count: '3 sources of 2 origins', names: ['List 0', 'List 1', 'List 2'], more: 0 }],
    [2, 1, { count: '2 sources of one origin', names: ['List 0', 'List 1'], more: 0 }],
    [5, 5, { count: '5 independent sources', names: ['List 0', 'List 1', 'List 2'], more: 2 }],
    [2, 0, { count: '2 sources', names: ['List 0', 'List 1'], more: 0 }],
  ])('%i sources of %i origins', (count, independentSources, who) => {
    expect(headline({ sources: named(count), independentSources }).who).toEqual(who);
  });
});
