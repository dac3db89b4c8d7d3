import { expect, test } from 'vitest';
import type { OtherData } from '#capabilities/datasets/index.ts';
import { DataFreshness } from './contract.ts';
import { reportFreshness } from './report-freshness.ts';

const NOW_MS = Date.UTC(2027, 0, 31);
const DAY_MS = 86_400_000;
const OTHER: OtherData = {
  id: 'pwned-passwords-sha1',
  label: 'Breached passwords (SHA-1)',
  category: 'breached-passwords',
  isFailing: false,
  dataAtMs: NOW_MS - 30 * DAY_MS,
  staleAfterMs: 180 * DAY_MS,
  records: 7,
  message: null,
  nodesDiffer: false,
  action: null,
};
const report = (given: Partial<OtherData>) => {
  const answer = reportFreshness([], [], NOW_MS, [{ ...OTHER, ...given }]);
  expect(DataFreshness.parse(answer)).toEqual(answer);
  return answer;
};

test('data that is no source has a row with its date, its number and whether nodes differ', () => {
  expect(report({})).toMatchObject({
    // No source is loaded, so no verdict can be given, although this data is fresh.
    overallStatus: 'stale',
    datasets: [
      {
        id: 'pwned-passwords-sha1',
        status: 'fresh',
        lastUpdatedAt: '2027-01-01T00:00:00.000Z',
        ageHours: 720,
        slaHours: 4_320,
        records: 7,
        nodesDiffer: false,
        cause: null,
        reason: null,
      },
    ],
  });
});

test('data that was never loaded is missing, and the stored problem of a run names its cause', () => {
  const never = { dataAtMs: null, records: 0 };
  expect(report(never).datasets).toMatchObject([
    { status: 'missing', cause: 'waiting', lastUpdatedAt: null, records: null },
  ]);
  const problem = 'The publisher no longer has this file (404). The list has moved or ended; see its page.';
  const message = `${problem} Nothing has been loaded yet.`;
  expect(report({ ...never, isFailing: true, problem: message, message }).datasets).toMatchObject([
    { status: 'missing', cause: 'gone', reason: problem, message },
  ]);
  expect(report({ isFailing: true, problem, message: problem }).datasets).toMatchObject([
    { status: 'failing', cause: 'gone' },
  ]);
});

test('it is stale by its age, and failing when nodes differ, with what to do', () => {
  expect(report({ dataAtMs: NOW_MS - 181 * DAY_MS }).datasets).toMatchObject([
    { status: 'stale', cause: 'old', message: 'Its data is older than 180 days.' },
  ]);
  const { datasets, actions } = report({
    isFailing: true,
    nodesDiffer: true,
    message: 'Nodes differ.',
    action: 'Give all nodes the same list.',
  });
  expect(datasets).toMatchObject([{ status: 'failing', cause: 'ours', nodesDiffer: true }]);
  expect(actions).toContain('Give all nodes the same list.');
});
