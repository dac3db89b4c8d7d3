import { describe, expect, test } from 'vitest';
import type { Failure } from '../../service/failure.ts';
import * as phase from './check-state.fixture.ts';
import { IP, NAME, stateAfter, type Unmarked } from './check-state.fixture.ts';
import {
  afterHappening,
  basicFacts,
  type CheckState,
  canResume,
  cutWords,
  degradedNames,
  isProvisional,
  isSilent,
  progressOf,
  SILENT_AFTER_MS,
  seenOf,
  shownPhases,
  started,
  stepsOf,
} from './check-state.ts';

const FAILURE: Failure = {
  kind: 'offline',
  title: 'The service did not answer',
  detail: '',
  requestId: null,
  retryAtMs: null,
};
const late = { whois: { registrar: 'Late registrar' } } as never;
const ALL: readonly Unmarked[] = [
  phase.reputation({ degraded: ['safe-browsing'] }),
  phase.basic({ degraded: ['rdap'] }),
  phase.insights(),
  phase.dns(),
  phase.enrichment({ late, degraded: ['otx', 'rdap'] }),
  phase.done,
];

function ordersOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, at) => ordersOf(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

test('the order of phases does not change the final page', () => {
  const facts = ({ phases, end }: CheckState) => ({
    phases,
    end,
    basic: basicFacts(phases),
    degraded: new Set(degradedNames(phases)),
  });
  const expected = facts(stateAfter(NAME, ALL));
  for (const order of ordersOf(ALL)) expect(facts(stateAfter(NAME, order))).toEqual(expected);
});

test('providers that did not answer are named once, from any phase', () => {
  const { phases } = stateAfter(NAME, ALL);
  expect(degradedNames(phases)).toEqual(['safe-browsing', 'rdap', 'otx']);
  expect(basicFacts(phases)?.degraded).toEqual(['rdap', 'otx', 'rdap']);
});

describe('a check that is cut after each phase', () => {
  const told: readonly (readonly [number, string])[] = [
    [1, 'Connection lost after step 1 of 5. What had come was kept.'],
    [2, 'Connection lost after step 2 of 5. What had come was kept.'],
    [3, 'Connection lost after step 3 of 5. What had come was kept.'],
    [4, 'Connection lost after step 4 of 5. What had come was kept.'],
    [5, 'Connection lost after step 5 of 5. What had come was kept.'],
  ];
  test.each(told)('after %i keeps its phases, stays provisional and says how far it got', (count, words) => {
    const before = stateAfter(NAME, ALL.slice(0, count));
    const cut = afterHappening(before, { kind: 'lost', failure: FAILURE });
    expect(cut.phases).toBe(before.phases);
    expect(cutWords(cut)).toBe(words);
    expect(isProvisional(cut)).toBe(true);
    expect(cut.lastEventId).toBe(`m${count}`);
  });

  test.each(told)('after %i and resumed, ends with everything', (count) => {
    let state = afterHappening(stateAfter(NAME, ALL.slice(0, count)), { kind: 'lost', failure: FAILURE });
    state = afterHappening(state, { kind: 'resumed', atMs: 9_000 });
    expect(state.startedMs).toBe(0);
    for (const rest of ALL.slice(count))
      state = afterHappening(state, { kind: 'phase', phase: { ...rest, id: '' }, atMs: 9_100 });
    expect(state.phases).toEqual(stateAfter(NAME, ALL).phases);
    expect(state.end).toEqual({ kind: 'done' });
  });
});

test('a connection without any phase is no answer, not a cut', () => {
  const state = afterHappening(started(IP, 0), { kind: 'lost', failure: FAILURE });
  expect(state.end).toEqual({ kind: 'refused', failure: FAILURE, usedUp: null });
  expect(cutWords(state)).toBeNull();
});

test('a refusal of a resumed check keeps the phases that had arrived', () => {
  const cut = afterHappening(stateAfter(IP, ALL.slice(0, 2)), { kind: 'lost', failure: FAILURE });
  const refused = afterHappening(cut, { kind: 'refused', failure: FAILURE, usedUp: 'burst' });
  expect(shownPhases(refused)).toBe(cut.phases);
});

test('leaving a finished check does not make it unfinished', () => {
  const finished = stateAfter(IP, ALL);
  expect(afterHappening(finished, { kind: 'left' })).toBe(finished);
});

describe('check again', () => {
  const again = afterHappening(stateAfter(IP, ALL), { kind: 'restarted', atMs: 60_000 });
  test('shows the earlier answer as provisional until the first phase of the new one', () => {
    expect(shownPhases(again).insights).toBeDefined();
    expect(isProvisional(again)).toBe(true);
    const next = afterHappening(again, {
      kind: 'phase',
      phase: { ...phase.reputation(), id: 'n1' },
      atMs: 60_050,
    });
    expect(Object.keys(shownPhases(next))).toEqual(['reputation']);
  });
  test('keeps the earlier answer when it is refused', () => {
    const refused = afterHappening(again, { kind: 'refused', failure: FAILURE, usedUp: 'month' });
    expect(shownPhases(refused).insights).toBeDefined();
  });
  test('does not resume with the mark of the earlier check', () => {
    expect(again.lastEventId).toBeNull();
  });
});

describe('resuming', () => {
  const cut = afterHappening(stateAfter(IP, ALL.slice(0, 2)), { kind: 'lost', failure: FAILURE });
  test.each([
    ['at once', cut, 3_000, true],
    ['just within the two minutes', cut, 114_999, true],
    ['after them', cut, 115_000, false],
    ['without an event id', { ...cut, lastEventId: null }, 3_000, false],
    ['a finished check', stateAfter(IP, ALL), 3_000, false],
  ])('%s', (_name, state, nowMs, expected) => {
    expect(canResume(state, nowMs)).toBe(expected);
  });
});

describe('facts of `basic` that arrive late', () => {
  test('are merged into it', () => {
    const { phases } = stateAfter(IP, [phase.basic(), phase.enrichment({ late })]);
    expect(basicFacts(phases)?.whois?.registrar).toBe('Late registrar');
    expect(basicFacts(phases)?.geo?.countryCode).toBe('DE');
  });
  test('a late null does not overwrite a value', () => {
    const { phases } = stateAfter(IP, [phase.basic(), phase.enrichment({ late: { geo: null } })]);
    expect(basicFacts(phases)?.geo?.asn).toBe(60_729);
  });
  test('are null before either phase arrives', () => {
    expect(basicFacts({})).toBeNull();
  });
});

describe('steps', () => {
  test.each([
    [IP, 4],
    [NAME, 5],
    [{ type: 'hash', value: 'a'.repeat(64) } as const, 4],
    [{ type: 'url', value: 'http://evil.example/a' } as const, 5],
    [{ type: 'url', value: 'http://192.0.2.1/a' } as const, 4],
    [{ type: 'url', value: 'http://[2001:db8::1]/a' } as const, 4],
  ])('%o has %i', (target, count) => {
    expect(stepsOf(target)).toHaveLength(count);
    expect(progressOf(started(target, 0))).toEqual({ step: 0, of: count });
  });
});

describe('silence', () => {
  const running = stateAfter(NAME, ALL.slice(0, 3));
  test.each([
    ['dns', SILENT_AFTER_MS - 1, false],
    ['dns', SILENT_AFTER_MS, true],
    ['enrichment', SILENT_AFTER_MS, true],
    ['basic', SILENT_AFTER_MS, false],
  ] as const)('of %s after %i ms: %s', (step, nowMs, expected) => {
    expect(isSilent(running, step, nowMs)).toBe(expected);
  });
  test('a skipped step is not reported as silent', () => {
    const state = stateAfter(NAME, [phase.reputation(), phase.basic(), phase.insights(), phase.enrichment()]);
    expect(isSilent(state, 'dns', 60_000)).toBe(false);
  });
  test('counts anew after a resume, and ends with the check', () => {
    const cut = afterHappening(running, { kind: 'lost', failure: FAILURE });
    expect(isSilent(cut, 'dns', 60_000)).toBe(false);
    const resumed = afterHappening(cut, { kind: 'resumed', atMs: 60_000 });
    expect(isSilent(resumed, 'dns', 61_000)).toBe(false);
    expect(isSilent(resumed, 'dns', 68_000)).toBe(true);
  });
});

test('panels know when no more phases will arrive', () => {
  expect(seenOf(stateAfter(IP, ALL.slice(0, 2))).isOver).toBe(false);
  expect(seenOf(stateAfter(IP, ALL)).isOver).toBe(true);
});
