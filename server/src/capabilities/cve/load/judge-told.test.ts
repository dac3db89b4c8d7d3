import { expect, test } from 'vitest';
import { toldNothing } from '#domain/cve/index.ts';
import { countTold, NOTHING_COUNTED, snapshotCounts, type ToldCounts } from './count-told.ts';
import { judgeNulls, judgeRefusals, type PastShare } from './judge-told.ts';

const RECORDS = 100;
/** The counts of RECORDS records of NVD, some of them without a score. */
function counted(withoutScore: number): ToldCounts {
  const rows = Array.from({ length: RECORDS }, (_, at) => ({
    ...toldNothing(`CVE-2024-${1_000 + at}`, 'nvd', `CVE-2024-${1_000 + at}`),
    description: 'A flaw.',
    scores:
      at < withoutScore
        ? []
        : [
            {
              assigner: 'nvd',
              source: 'nvd@nist.gov',
              version: '3.1',
              score: 5,
              severity: 'MEDIUM',
              vector: null,
            } as const,
          ],
  }));
  return countTold(NOTHING_COUNTED, rows, [], 10);
}
const past = (...shares: readonly number[]): readonly PastShare[] =>
  shares.map((share) => ({ source: 'nvd', field: 'scores', share }));
const judge = (counts: ToldCounts, history: readonly PastShare[], expected = {}) =>
  judgeNulls(counts, history, expected, snapshotCounts(counts, null));

test('a share of nulls ten points above the median of seven runs is refused, whatever the number of rows', () => {
  const usual = past(0.2, 0.9, 0.21, 0.2, 0.19, 0.2, 0.2);
  expect(() => judge(counted(30), usual)).not.toThrow();
  expect(() => judge(counted(31), usual)).toThrow(/31\.0 % of the records of nvd have no scores/);
  expect(() => judge(counted(100), usual)).toThrow(
    expect.objectContaining({ gate: 'nulls', isReleasable: true }),
  );
});

test('until three runs are known the expected share of the row counts; without one nothing is refused', () => {
  const expected = { nvd: { scores: 0.3 } };
  expect(() => judge(counted(50), past(0.01, 0.01), expected)).toThrow(/have no scores/);
  expect(() => judge(counted(40), [], expected)).not.toThrow();
  expect(() => judge(counted(100), [])).not.toThrow();
});

test('a delta of a quiet hour has no usual share', () => {
  const few = countTold(NOTHING_COUNTED, [toldNothing('CVE-2024-1000', 'nvd', 'x')], [], 1);
  expect(() => judge(few, past(0, 0, 0))).not.toThrow();
});

test('a file without a CVE, and one with too many unreadable entries, is refused with its reason', () => {
  const refused = (times: number, told: number) =>
    snapshotCounts(
      countTold(
        NOTHING_COUNTED,
        Array.from({ length: told }, () => toldNothing('CVE-2024-1000', 'kev', 'x')),
        Array.from({ length: times }, () => ({ document: 'kev 7', reason: 'bad-date' }) as const),
        10,
      ),
      null,
    );
  expect(() => judgeRefusals(refused(0, 0))).toThrow(/names no CVE at all/);
  expect(() => judgeRefusals(refused(3, 0))).toThrow(/bad-date, kev 7/);
  expect(() => judgeRefusals(refused(2, 100))).toThrow(expect.objectContaining({ gate: 'rejects' }));
  expect(() => judgeRefusals(refused(1, 100))).not.toThrow();
});
