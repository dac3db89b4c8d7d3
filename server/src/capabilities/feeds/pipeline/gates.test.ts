import { describe, expect, test } from 'vitest';
import { median, NO_HISTORY, type RunHistory } from '#capabilities/datasets/index.ts';
import type { SnapshotCounts } from '#capabilities/lists/index.ts';
import { GateError } from '#capabilities/lists/index.ts';
import { judgeEntries, judgeSnapshot } from './gates.ts';

const row = { volume: { min: 100, max: 10_000 }, semantics: 'state', entityTypes: ['ip'] } as const;
const counts = (given: Partial<SnapshotCounts> = {}): SnapshotCounts => ({
  lines: 1_000,
  accepted: 1_000,
  rejected: 0,
  unsupported: 0,
  disposed: 0,
  reasons: [],
  declaredDateMs: null,
  bytes: 20_000,
  ...given,
});
const usual = (...entries: number[]): RunHistory => ({ entries, released: null });

function refusal(
  given: Partial<SnapshotCounts>,
  history: RunHistory = NO_HISTORY,
  judged: Parameters<typeof judgeSnapshot>[0] = row,
): GateError | null {
  try {
    judgeSnapshot(judged, history, counts(given));
    return null;
  } catch (error) {
    if (error instanceof GateError) return error;
    throw error;
  }
}

describe('the catalogue’s band', () => {
  test.each([
    [99, 'volume'],
    [100, undefined],
    [10_000, undefined],
    [10_001, 'volume'],
  ])('%i entries of 100 to 10,000: %s', (accepted, gate) => {
    expect(refusal({ accepted })?.gate).toBe(gate);
  });

  test('a size that an operator released is accepted outside the catalogue’s band', () => {
    expect(refusal({ accepted: 40 }, { entries: [40], released: 40 })).toBeNull();
    expect(refusal({ accepted: 19 }, { entries: [40], released: 40 })?.gate).toBe('volume');
  });
});

describe('the usual size', () => {
  test.each([
    [499, 'volume'],
    [500, undefined],
    [3_000, undefined],
    [3_001, 'volume'],
  ])('%i entries where 1,000 are usual: %s', (accepted, gate) => {
    expect(refusal({ accepted }, usual(1_000, 1_000, 1_000))?.gate).toBe(gate);
  });

  test('two good runs are too few for a usual size', () => {
    expect(refusal({ accepted: 200 }, usual(1_000, 1_000))).toBeNull();
    expect(refusal({ accepted: 200 }, usual(1_000, 1_000, 1_000))?.gate).toBe('volume');
  });

  test('one bad run among seven does not move it', () => {
    expect(refusal({ accepted: 400 }, usual(100, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000))?.gate).toBe(
      'volume',
    );
  });

  test('an eighth run is too old to count', () => {
    const history = usual(1_000, 1_000, 1_000, 1_000, 200, 200, 200, 200);
    expect(refusal({ accepted: 400 }, history)?.gate).toBe('volume');
  });

  test('a delta has no usual size', () => {
    expect(refusal({ accepted: 150 }, usual(1_000, 1_000, 1_000), { ...row, semantics: 'delta' })).toBeNull();
  });

  test('copies of one line do not make a list long', () => {
    const judge = (entries: number) => () => judgeEntries(row, usual(1_000, 1_000, 1_000), entries, counts());
    expect(judge(1)).toThrow(GateError);
    expect(judge(499)).toThrow(GateError);
    expect(judge(500)).not.toThrow();
  });
});

describe('rejected entries', () => {
  test.each([
    [990, 10, undefined],
    [989, 11, 'rejects'],
  ])('%i good and %i bad: %s at 1 %%', (accepted, rejected, gate) => {
    expect(refusal({ accepted, rejected })?.gate).toBe(gate);
  });

  test('valid but unsupported entries do not count', () => {
    expect(refusal({ accepted: 500, unsupported: 9_000, lines: 9_500 })).toBeNull();
  });

  test('a row may allow more', () => {
    expect(refusal({ accepted: 900, rejected: 100 }, NO_HISTORY, { ...row, rejectShareMax: 0.1 })).toBeNull();
    expect(refusal({ accepted: 899, rejected: 101 }, NO_HISTORY, { ...row, rejectShareMax: 0.1 })?.gate).toBe(
      'rejects',
    );
  });
});

describe('kinds', () => {
  test.each([
    [{ ip: 400, domain: 500 }, undefined],
    [{ ip: 400, domain: 501 }, 'wrong-format'],
    [{}, undefined],
  ])('%j new ones among 1,000 of a list of addresses: %s', (kinds, gate) => {
    expect(refusal({ kinds })?.gate).toBe(gate);
  });
});

describe('refused kinds', () => {
  test('a list that was swapped for another is recognised although its entries were refused one by one', () => {
    expect(refusal({ accepted: 0, rejected: 1_000, refusedKinds: { domain: 1_000 } })?.gate).toBe(
      'wrong-format',
    );
    expect(refusal({ accepted: 995, rejected: 5, refusedKinds: { domain: 5 } })).toBeNull();
  });
});

describe('canaries', () => {
  test.each([
    [500, 5, undefined],
    [500, 6, 'canaries'],
    [1_990, 10, undefined],
    [1_989, 11, 'canaries'],
  ])('%i entries and %i known-good ones: %s', (accepted, disposed, gate) => {
    expect(refusal({ accepted, disposed })?.gate).toBe(gate);
  });
});

describe('the gates that an operator may overrule', () => {
  test.each([
    ['empty', false, { accepted: 0, lines: 0 }],
    ['empty', false, { accepted: 0, lines: 50, unsupported: 50 }],
    ['rejects', true, { accepted: 500, rejected: 500 }],
    ['canaries', true, { disposed: 100 }],
    ['volume', true, { accepted: 3 }],
  ])('%s: releasable %s', (gate, isReleasable, given) => {
    expect(refusal(given)).toMatchObject({ gate, isReleasable });
  });

  test('a sentence says the figure, the limit and what to do', () => {
    expect(refusal({ accepted: 3 })?.message).toBe(
      '3 entries are fewer than the 100 this list is known to have. Compare it with the page of the publisher; release it if it is right.',
    );
    expect(
      refusal({
        accepted: 500,
        rejected: 500,
        reasons: [
          { kind: 'unsupported', reason: 'a path', count: 900, example: '/x' },
          { kind: 'rejected', reason: 'not an indicator', count: 500, example: 'x' },
        ],
      })?.message,
    ).toBe(
      '500 of 1,000 entries (50 %) are not usable, more than the 1 % allowed (most often: not an indicator). Look at the examples; release it if the list is right.',
    );
  });
});

test('the median of an even number of runs lies between the middle two', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([5, 1, 3])).toBe(3);
});
