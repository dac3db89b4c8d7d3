import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrate } from '#platform/migrate.ts';
import { type Acknowledged, findLost, WRITES_ENV, Writer } from '#test/acknowledged-writes.ts';
import { eventually } from '#test/eventually.ts';
import { startPostgresServer } from '#test/postgres-server.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { startService } from '#test/service.ts';
import { openAccounts } from '#test/service-accounts.ts';

const CUTS = 3;
const WRITES = 600;
const WRITERS = 8;
const DISK_MEGABYTES = 512;
const LIMITS = { burstPerMinute: 1_000_000, checksPerMonth: 100_000_000 };
const random = seededRandom('power-cut');

/**
 * A file system on a file. Pages that its file system has not written are in the kernel's memory only, so a copy of the
 * file is what a disk would hold after a power cut. Device-mapper would cut at one instant; where it is missing, the
 * copy takes some hundred milliseconds during which PostgreSQL is stopped.
 */
class ImageDisk {
  readonly image: string;
  readonly dir: string;

  private constructor(image: string, dir: string) {
    this.image = image;
    this.dir = dir;
  }

  static create(folder: string): ImageDisk {
    // PostgreSQL runs as another user, who must be able to enter the folder.
    chmodSync(folder, 0o755);
    const image = join(folder, 'disk');
    execFileSync('truncate', ['--size', `${DISK_MEGABYTES}M`, image]);
    execFileSync('mkfs.ext4', ['-q', '-F', image]);
    return ImageDisk.mount(image, join(folder, 'before'));
  }

  static mount(image: string, dir: string): ImageDisk {
    mkdirSync(dir);
    execFileSync('mount', ['-o', 'loop', image, dir]);
    return new ImageDisk(image, dir);
  }

  unmount(): void {
    execFileSync('umount', [this.dir]);
  }
}

async function cutOnce(nth: number): Promise<{ acknowledged: number; lost: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-power-'));
  const disk = ImageDisk.create(folder);
  const cluster = join(disk.dir, 'cluster');
  mkdirSync(cluster);
  const postgres = await startPostgresServer({ dir: cluster, isDurable: true });
  await migrate(postgres.url('assay'));
  execFileSync('sync', ['-f', disk.dir]);
  const service = await startService({ databaseUrl: postgres.url('assay'), env: WRITES_ENV });
  const accounts = openAccounts(service);
  const writers: Writer[] = [];
  for (let each = 0; each < WRITERS; each += 1) {
    const account = await accounts.newAccount(`cut-${nth}-${each}@example.com`, {
      plan: 'ENTERPRISE',
      limits: LIMITS,
    });
    writers.push(new Writer(`cut-${nth}-${each}`, service, account, accounts.system));
  }
  const all = (): Acknowledged[] => writers.flatMap(({ acknowledged }) => acknowledged);
  let isOver = false;
  const running = writers.map((writer) => writer.run(() => isOver));
  const due = Math.floor(WRITES * (0.5 + random() / 2));
  await eventually(`${due} writes are acknowledged`, 600_000, () => all().length >= due);
  // Stopped: nothing is acknowledged and nothing is written from here on.
  postgres.freeze();
  const acknowledged = all();
  const removalsSent = writers.flatMap((writer) => writer.removalsSent);
  copyFileSync(disk.image, join(folder, 'after-cut'));
  isOver = true;
  postgres.thaw();
  await Promise.all(running);
  await accounts.close();
  await service.stop();
  await postgres.stop();
  disk.unmount();
  const after = ImageDisk.mount(join(folder, 'after-cut'), join(folder, 'after'));
  rmSync(join(after.dir, 'cluster/data/postmaster.pid'), { force: true });
  const recovered = await startPostgresServer({ dir: join(after.dir, 'cluster'), isDurable: true });
  const lost = await findLost(recovered.url('assay'), [{ acknowledged, removalsSent }]);
  await recovered.stop();
  after.unmount();
  rmSync(folder, { recursive: true, force: true });
  return { acknowledged: acknowledged.length, lost };
}

test('no acknowledged write is lost when the power is cut: what reached the disk is enough (reliability D1, D2)', async () => {
  let acknowledged = 0;
  for (let nth = 0; nth < CUTS; nth += 1) {
    const cut = await cutOnce(nth);
    acknowledged += cut.acknowledged;
    expect(cut.lost).toEqual([]);
  }
  console.log(`figure power-cuts ${CUTS}`);
  console.log(`figure power-cut-acknowledged ${acknowledged}`);
  console.log('figure power-cut-lost 0');
});
