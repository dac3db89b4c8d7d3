import { actionOf, type BulkRow, type CheckResult, type Member, verdictOf, verdictOfRow } from '@assay/sdk';
import { expect, test } from 'vitest';
import { briefOfCheck } from '../../server/src/capabilities/assistant/present-brief.ts';
import { presentCsv } from '../../server/src/capabilities/bulk/present-csv.ts';
import { presentRow } from '../../server/src/capabilities/bulk/present-row.ts';
import { presentCheck } from '../../server/src/capabilities/check/present-check.ts';
import { presentReputation } from '../../server/src/capabilities/check/present-phases.ts';
import { presentMembers } from '../../server/src/capabilities/context-pages/present-members.ts';
import type { Corpus, Listing } from '../../server/src/capabilities/corpus/index.ts';
import { EMPTY_BOOK } from '../../server/src/capabilities/enrichment/index.ts';
import { createAssessor, createMissCache } from '../../server/src/capabilities/judging/index.ts';
import { createJudge } from '../../server/src/capabilities/monitoring/judge-target.ts';
import { NO_SIGNAL_BOOK } from '../../server/src/capabilities/signals/index.ts';
import { type Indicator, parseIndicator } from '../../server/src/domain/indicator/index.ts';
import { registrySource } from '../../server/test/support/registry.ts';
import { triageRows } from '../src/screens/bulk/triage-view.ts';
import { levelParts } from '../src/screens/context/context-words.ts';
import { toRow } from '../src/screens/context/member-rows.ts';
import * as phase from '../src/screens/indicator/check-state.fixture.ts';
import { IP, stateAfter } from '../src/screens/indicator/check-state.fixture.ts';
import { verdictView } from '../src/screens/indicator/verdict-view.ts';

const NOW_MS = Date.UTC(2026, 10, 15, 12);
const NOW_S = NOW_MS / 1_000;
const DAY_S = 86_400;
const clock = { now: () => NOW_MS, monotonic: () => 0 };
const dated = { dataAtS: NOW_S - 3_600, lastFetchAtS: NOW_S - 3_600 };
const GRADE_A = { letter: 'A', reliability: 0.95, fpRisk: 'low', category: 'malware', ...dated } as const;
const GRADE_B = { letter: 'B', reliability: 0.75, category: 'bruteforce', ...dated } as const;

const sources = [
  registrySource({ number: 1, ...GRADE_B, category: 'malware', signal: 'scanner' }),
  registrySource({ number: 2, ...GRADE_A }),
  registrySource({ number: 3, ...GRADE_A }),
  registrySource({ number: 4, ...GRADE_A }),
  registrySource({ number: 5, ...GRADE_B, reliability: 0.4 }),
  registrySource({ number: 6, ...GRADE_B }),
  registrySource({ number: 7, ...GRADE_A, category: 'test', signal: 'scanner' }),
  registrySource({ number: 8, ...GRADE_B, category: 'malware', tags: ['vulnerable-driver'] }),
  registrySource({ number: 9, ...dated, threatClass: 'infrastructure', category: 'empty-file' }),
];
type Said = { readonly by: readonly number[]; readonly leftDays?: number };

const MALICIOUS = '45.155.205.1';
const CRITICAL = '45.155.205.2';
const LISTED_NOW = '45.155.205.3';
const LISTED_ONCE = '45.155.205.4';
const PRIVATE = '192.168.1.1';
const [EICAR, DRIVER, EMPTY] = ['ab', 'cd', 'ef'].map((pair) => pair.repeat(32)) as [string, string, string];
const SAID: Readonly<Record<string, Said>> = {
  [MALICIOUS]: { by: [1] },
  [CRITICAL]: { by: [2, 3, 4] },
  [LISTED_NOW]: { by: [5] },
  [LISTED_ONCE]: { by: [6], leftDays: 6 },
  [PRIVATE]: { by: [1] },
  [EICAR]: { by: [7] },
  [DRIVER]: { by: [8] },
  [EMPTY]: { by: [9] },
};

const registry = { version: '00000000', sources };
const unused = () => {
  throw new Error('Not used in this test.');
};
const corpus: Corpus = {
  seq: () => 1,
  neighbourhood: unused,
  accusedWithin: unused,
  lookup: ({ value }) => {
    const { by, leftDays = 0 } = SAID[value] ?? { by: [] };
    return {
      seq: 1,
      registry,
      listings: by.map(
        (number): Listing => ({
          source: sources[number - 1] as (typeof sources)[number],
          matchType: 'exact',
          matched: value,
          firstSeenS: NOW_S - 30 * DAY_S,
          lastSeenS: NOW_S - leftDays * DAY_S,
          dating: 'own',
          confidence: -1,
          ...(leftDays > 0 && { isDelisted: true }),
        }),
      ),
    };
  },
};
const enrichment = { book: () => EMPTY_BOOK };
const assess = createAssessor({ corpus, misses: createMissCache(clock), clock, enrichment });
const judge = createJudge({ corpus, enrichment, clock, signals: { book: () => NO_SIGNAL_BOOK } });

const overTheWire = <T>(answer: unknown): T => JSON.parse(JSON.stringify(answer)) as T;
const indicatorOf = (value: string): Indicator => {
  const parsed = parseIndicator(value);
  if (!parsed.ok || parsed.indicator.kind === 'cidr') throw new Error(value);
  return parsed.indicator as Indicator;
};

/** The word of one value on each surface, by the name of the surface. */
function wordsOf(value: string): Readonly<Record<string, string | undefined>> {
  const indicator = indicatorOf(value);
  const assessment = assess(indicator);
  const check = overTheWire<CheckResult>(presentCheck(assessment, 'standard', null));
  const { kind: type } = indicator;
  const shape = { entity: value, type, observedAt: '2026-11-15T12:00:00.000Z', withEvidence: false };
  const bulk = presentRow(shape as Parameters<typeof presentRow>[0], assessment);
  const row = overTheWire<BulkRow>(bulk);
  const [header = '', line = ''] = presentCsv([bulk]).split('\r\n');
  const csvWord = line.replace(/"[^"]*"/g, '').split(',')[header.split(',').indexOf('word')];
  const examined = {
    key: new Uint8Array([1]),
    indicator,
    firstSeenS: NOW_S,
    dating: 'own',
    isWithheld: false,
    verdict: assessment.verdict,
    families: [],
  } as const;
  const page = presentMembers({
    subject: 'network 45.155.205.0/24',
    cursor: undefined,
    examined: [examined] as Parameters<typeof presentMembers>[0]['examined'],
    listed: 1,
    withheld: 0,
    isPartial: false,
  });
  const [member] = overTheWire<readonly Member[]>(page.worst?.members);
  if (member === undefined) throw new Error('The page names no member.');
  const beside = { hasScanner: true, lookups: { asked: [], off: [] }, degraded: [] };
  const first = presentReputation(presentCheck(assessment, 'full', null), assessment, beside);
  const state = stateAfter(IP, [phase.reputation(overTheWire(first)) as never]);
  const [part] = levelParts(page.counts);
  const headline = briefOfCheck(presentCheck(assessment, 'standard', null), type).headline;
  return {
    'API verdict': check.riskScore?.word,
    'SDK, check': verdictOf(check).word,
    'bulk row': row.word,
    'SDK, row': verdictOfRow(row).word,
    'bulk CSV': csvWord,
    'dashboard, bulk': triageRows([row])[0]?.verdict.word,
    'context page': member.word ?? undefined,
    'dashboard, context page': toRow(member).verdict?.word,
    'context page, counts': page.counts.byWord[0]?.word,
    'dashboard, counts': part?.level === 'inconclusive' ? (check.riskScore?.word ?? '') : part?.word,
    'dashboard, indicator': verdictView(state).word,
    '/gpt': headline.slice(`${value}: `.length).replace(/(?: \(\d+ of 100\))?\..*$/, ''),
    alerts: type === 'hash' ? check.riskScore?.word : judge(indicator, NOW_MS).word,
  };
}

test.each([
  ['a scanner lists it now', MALICIOUS, true, 'high', 'Malicious', 'block'],
  ['three lists of grade A, no scanner', CRITICAL, false, 'critical', 'Critical risk', 'block'],
  ['one faint list has it now', LISTED_NOW, false, 'low', 'Reported', 'monitor'],
  ['its list dropped it', LISTED_ONCE, false, 'low', 'Reported long ago', 'monitor'],
  ['private, although a scanner lists it', PRIVATE, false, 'safe', 'Reserved address', 'not-applicable'],
  ['a test file', EICAR, true, 'high', 'Test file', 'block'],
  ['a vulnerable driver', DRIVER, false, 'medium', 'Vulnerable driver', 'review'],
  ['the empty file', EMPTY, false, 'inconclusive', 'Empty file', 'ignore'],
])('one value has one word on every surface: %s', (_, value, malicious, level, word, action) => {
  const check = presentCheck(assess(indicatorOf(value)), 'standard', null);
  expect([check.malicious, check.riskScore?.level, check.evidence?.recommendedAction]).toEqual([
    malicious,
    level,
    action,
  ]);
  const words = wordsOf(value);
  expect(words).toEqual(Object.fromEntries(Object.keys(words).map((surface) => [surface, word])));
  expect(actionOf(action)).not.toContain(action);
});
