import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestDatasets } from '#test/dataset-digest.ts';
import { type DatasetRig, pathOf, startDatasetRig } from '#test/dataset-rig.ts';
import { BAD_TURNS, publishGood, TURNED } from '#test/dataset-turns.ts';
import { bySize } from '#test/lane.ts';
import { keepResult } from '#test/proof-results.ts';
import { adminRun } from '#test/run-admin.ts';

const TURNS = bySize(
  BAD_TURNS.filter(({ isShort }) => isShort === true),
  BAD_TURNS,
);
const EDITIONS = 3;

let rig: DatasetRig;
beforeAll(async () => {
  rig = await startDatasetRig(Date.UTC(2026, 4, 8));
  for (const dataset of TURNED)
    for (let edition = 1; edition <= EDITIONS; edition += 1) {
      publishGood(rig, dataset, edition);
      const { status, reason } = await rig.run(dataset);
      expect([dataset, status, reason]).toEqual([dataset, 'succeeded', null]);
    }
});
afterAll(async () => {
  keepResult('dataset-downloads', { turns: TURNS.length });
  await rig?.close();
});

/** The problem of a data set as the `status` command shows it to the operator. */
async function problemSaid(capability: string, dataset: string): Promise<string | null> {
  const { documents } = await adminRun({ DATABASE_URL: rig.database.url }, [capability, 'status', '--json']);
  const [{ sources }] = documents as [{ sources: readonly { id: string; problem: string | null }[] }];
  return sources.find(({ id }) => id === dataset)?.problem ?? null;
}

describe('a bad turn of a publisher keeps the last good content and is a sentence for the operator', () => {
  test.each(TURNS)('$name', async ({ dataset, status, says, behaves }) => {
    const before = await digestDatasets(rig.database.url);
    rig.publisher.misbehave(pathOf(dataset), behaves(rig));
    // The second run begins with what the first one left staged.
    for (const attempt of [1, 2]) {
      const outcome = await rig.run(dataset);
      expect([attempt, outcome.status, outcome.reason]).toEqual([
        attempt,
        status,
        expect.stringMatching(says),
      ]);
    }
    expect(await digestDatasets(rig.database.url)).toEqual(before);
    const row = await rig.freshness(dataset);
    expect(row).toMatchObject({ status: 'failing', message: expect.stringMatching(says) });
    expect(row?.message).toMatch(/ The last good content of 2026-\d\d-\d\d \([\d,]+ entries\) stays\.$/);
    const { capability } = rig.definitionOf(dataset);
    expect(await problemSaid(capability, dataset)).toBe(row?.message);

    publishGood(rig, dataset);
    expect((await rig.run(dataset)).status).toMatch(/^(?:succeeded|unchanged)$/);
    expect((await rig.freshness(dataset))?.status).not.toBe('failing');
  });
});
