import { expect, test } from 'vitest';
import { DataOpsPipeline } from './contract.ts';
import { describePipeline, type FeedRun } from './describe-pipeline.ts';

const STARTED_MS = Date.UTC(2027, 0, 1);
const run = (given: Partial<FeedRun> = {}): FeedRun => ({
  id: 'run_1',
  sourceId: 'urls',
  status: 'succeeded',
  reason: null,
  startedAtMs: STARTED_MS,
  finishedAtMs: STARTED_MS + 1_500,
  phases: [{ id: 'fetch', status: 'succeeded', durationMs: 900, records: null }],
  ...given,
});
const describe = (last?: FeedRun, nowMs = STARTED_MS + 9_000) => {
  const answer = describePipeline(last, nowMs);
  expect(DataOpsPipeline.parse(answer)).toEqual(answer);
  return answer;
};

test('before the first run lastRun is an empty object', () => {
  expect(describe().lastRun).toEqual({});
});

test('the paths are those of the contract, and the phases are in its words and order', () => {
  const { phases, freshnessApiPath, backofficePath } = describe();
  expect([freshnessApiPath, backofficePath]).toEqual(['/platform/data-freshness', '/admin']);
  expect(phases.map(({ id }) => id)).toEqual([
    'fetch',
    'parse',
    'normalize',
    'dedupe',
    'score',
    'publish-blocklists',
    'publish-taxii',
    'export-mmdb',
  ]);
});

test.each([
  ['succeeded', 'succeeded'],
  ['unchanged', 'succeeded'],
  ['quarantined', 'failed'],
  ['failed', 'failed'],
] as const)('a run that ended as %s is told as %s', (status, told) => {
  expect(describe(run({ status })).lastRun).toMatchObject({ status: told, durationMs: 1_500 });
});

test('a run in progress has no end, and lasts until now', () => {
  expect(describe(run({ status: 'running', finishedAtMs: null })).lastRun).toMatchObject({
    status: 'running',
    finishedAt: null,
    durationMs: 9_000,
  });
});
