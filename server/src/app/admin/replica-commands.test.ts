import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockFolder } from '#platform/replica/exclusive.ts';
import { writePointer } from '#platform/replica/generations.ts';
import { type DatasetStatus, writeStatus } from '#platform/replica/status.ts';
import { replicaCommands } from './replica-commands.ts';

const CORPUS: DatasetStatus = {
  dataset: 'corpus',
  generation: 'g000000001',
  seq: 41,
  snapshotId: '41',
  entries: 100,
  bytes: 5_400,
  bytesPerEntry: 54,
  setHash: 'ab'.repeat(16),
  contactAt: '2026-01-01T00:00:00.000Z',
  verifiedAt: '2026-01-01T00:00:00.000Z',
  isFollowing: true,
  rebuildReason: null,
};
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-replica-admin-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const run = (...args: string[]) => runMoved(null, ...args);

async function runMoved(
  movedMs: number | null,
  ...args: string[]
): Promise<{ lines: string[]; documents: unknown[] }> {
  const [lines, documents]: [string[], unknown[]] = [[], []];
  const context = {
    config: { DATA_DIR: dataDir },
    movedDatesMs: async () => movedMs,
    out: (line: string) => lines.push(line),
    json: (document: unknown) => documents.push(document),
  };
  await replicaCommands(context).parseAsync(args, { from: 'user' });
  return { lines, documents };
}

describe('admin replica status', () => {
  it('says so when there is no replica yet', async () => {
    expect((await run('status')).lines).toEqual(['Replicator not running; there is no replica yet.']);
  });

  it('reports each dataset, the generation listeners use, and whether a replicator is alive', async () => {
    const lock = lockFolder(dataDir);
    const writtenAt = '2026-01-01T00:00:01.000Z';
    writeStatus(dataDir, { pid: process.pid, replicatorId: lock.id, writtenAt, datasets: [CORPUS] });
    writePointer(dataDir, 'corpus', { generation: 'g000000002', attestedBy: lock.id, verifiedAtMs: 0 });
    expect((await run('status', '--json')).documents).toEqual([
      {
        replicatorAlive: true,
        writtenAt,
        datesMovedDays: null,
        datasets: [{ ...CORPUS, generation: 'g000000002', replicatorAlive: true }],
      },
    ]);
    lock.release();
    const { lines } = await run('status');
    expect(lines[0]).toContain('Replicator not running');
    expect(lines.join('\n')).toContain('54.0 per entry');
    expect(lines.join('\n')).not.toContain('moved');
  });

  it('says so when the dates of the corpus were moved by an import', async () => {
    const movedMs = 84 * 86_400_000;
    expect((await runMoved(movedMs, 'status')).lines[1]).toBe(
      'Dates of imported lists are moved forward by 84 days (--rebase).',
    );
    expect((await runMoved(movedMs, 'status', '--json')).documents).toMatchObject([{ datesMovedDays: 84 }]);
  });
});
