import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ingestSnapshot } from '#capabilities/feeds/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { migrate } from '#platform/migrate.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { corpusContents } from '#test/corpus-contents.ts';
import { bySize } from '#test/lane.ts';
import { type PostgresServer, startPostgresServer } from '#test/postgres-server.ts';

const isRoot = process.getuid?.() === 0;
const folder = mkdtempSync(join(tmpdir(), 'assay-feed-disk-'));
const [log, clock] = [createLog('silent'), systemClock()];
const MEGABYTE = 1_048_576;
const LINES = bySize(20_000, 300_000);

let server: PostgresServer;
let system: Postgres;
let url: string;

beforeAll(async () => {
  if (!isRoot) return;
  server = await startPostgresServer({ diskMegabytes: bySize(300, 1_000) });
  url = server.url('assay');
  await migrate(url);
  system = asSystem({ DATABASE_URL: url, POSTGRES_POOL_MAX: 3 });
});
afterAll(async () => {
  await system?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function ingest(edition: number, lines: number, dataDir = folder): Promise<unknown> {
  const path = join(folder, 'list.txt');
  const text = Array.from(
    { length: lines },
    (_, i) => `host-${(i * 7_919 + edition) % 10_000_019}.disk-test.com`,
  );
  writeFileSync(path, text.join('\n'));
  return ingestSnapshot(
    { system, clock, log, dataDir },
    {
      sourceId: 'disk',
      settings: { name: 'Disk' },
      files: [{ path, format: { kind: 'plain' } }],
      dataAtMs: Date.UTC(2026, 10, 1 + edition),
      judge: () => undefined,
      canaries: false,
    },
  );
}

test.skipIf(!isRoot)(
  'a disk that fills up during an import loses nothing, and the import succeeds once there is room (needs root)',
  async () => {
    await ingest(1, bySize(2_000, 20_000));
    const before = await corpusContents(url);
    const ballast = join(server.dir, 'ballast');
    const { bavail, bsize } = statfsSync(server.dir);
    writeFileSync(ballast, '');
    // Leaves room for the server's own files, but not for the second list.
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - bySize(1, 24) * MEGABYTE)));
    await expect(ingest(2, LINES)).rejects.toThrow(/space|disk/i);
    unlinkSync(ballast);
    expect(await corpusContents(url)).toEqual(before);
    await ingest(2, LINES);
    const after = await corpusContents(url);
    expect(after.sources).toEqual([{ id: 'disk', entries: LINES, listed: LINES }]);
  },
  180_000,
);

test.skipIf(!isRoot)(
  'with a full data folder the next import loses its shortcut but succeeds (needs root)',
  async () => {
    const full = join(folder, 'full');
    mkdirSync(full);
    execFileSync('mount', ['-t', 'tmpfs', '-o', bySize('size=64k', 'size=256k'), 'tmpfs', full]);
    try {
      await ingest(2, LINES, full);
      await ingest(2, LINES - 1_000, full);
      const { sources } = await corpusContents(url);
      expect(sources).toEqual([{ id: 'disk', entries: LINES - 1_000, listed: LINES - 1_000 }]);
    } finally {
      execFileSync('umount', [full]);
    }
  },
  180_000,
);
