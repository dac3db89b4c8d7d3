import { cpSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, connectPostgres, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { capturedLog } from '#test/http-app.ts';
import { breachedHashes, listOf } from './breached.fixture.ts';
import { dataFile, readPointer } from './corpus-files.ts';
import { reportCorpora } from './judge-uses.ts';
import { loadPasswords } from './load-passwords.ts';
import { openPasswords, type Passwords } from './open-passwords.ts';
import { reportUses } from './report-uses.ts';

const DATA_AT = '2026-08-22T00:00:00.000Z';
const SHA1 = breachedHashes();
const OF = SHA1[0]?.hash.slice(0, 5) ?? '';
const clock = systemClock();

let database: TestDatabase;
let postgres: Postgres;
let system: Postgres;
let dataDir: string;
let passwords: Passwords;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 };
  postgres = connectPostgres(config, 'assay_app', PATIENT);
  system = asSystem(config, PATIENT);
});
afterAll(async () => {
  await Promise.all([postgres?.close(), system?.close()]);
  await database?.drop();
});
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'assay-passwords-'));
  passwords = openPasswords({ dataDir, log: createLog('silent'), refreshMs: 10 });
});
afterEach(async () => {
  await passwords.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function load(type: 'sha1'): Promise<void> {
  const file = join(dataDir, 'list.txt');
  writeFileSync(file, listOf(SHA1));
  const options = { dataDir, paths: [file], type, dataAtMs: Date.parse(DATA_AT), nowMs: clock.now() };
  const { digest } = await loadPasswords(options);
  await expect.poll(() => passwords.status()[type]?.digest).toBe(digest);
}

describe('copies of a corpus on other nodes', () => {
  test('a copied folder is opened once it is whole, and never answered from before', async () => {
    await load('sha1');
    const other = mkdtempSync(join(tmpdir(), 'assay-passwords-node-'));
    const told = capturedLog();
    const there = openPasswords({ dataDir: other, log: told.log, refreshMs: 10 });
    try {
      const [from, to] = [join(dataDir, 'passwords'), join(other, 'passwords')];
      const { generation = '' } = readPointer(dataDir, 'sha1') ?? {};
      cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('data.mdb') });
      cpSync(dataFile(dataDir, 'sha1', generation), dataFile(other, 'sha1', generation));
      truncateSync(dataFile(other, 'sha1', generation), 8_192);
      await expect.poll(() => told.lines.join('')).toContain('cannot be opened');
      expect(there.isAnswered('sha1', OF)).toBe(false);
      cpSync(dataFile(dataDir, 'sha1', generation), dataFile(other, 'sha1', generation));
      await expect.poll(() => there.status().sha1?.digest).toBe(passwords.status().sha1?.digest);
      expect(there.range('sha1', OF, true).bytes()).toEqual(passwords.range('sha1', OF, true).bytes());
      expect(there.range('sha1', OF, true).etag).toBe(passwords.range('sha1', OF, true).etag);
    } finally {
      await there.close();
      rmSync(other, { recursive: true, force: true });
    }
  });

  test('freshness has a row for each loaded type, and says when nodes differ', async () => {
    const report = () => reportCorpora(postgres, clock);
    const deps = { postgres: system, clock, log: createLog('silent') };
    const elsewhere = openPasswords({ dataDir: join(dataDir, 'elsewhere'), log: deps.log });
    const here = reportUses({ ...deps, passwords });
    expect(await report()).toEqual([]);
    await load('sha1');
    await expect
      .poll(async () => (await report())[0])
      .toMatchObject({
        id: 'pwned-passwords-sha1',
        dataAtMs: Date.parse(DATA_AT),
        records: SHA1.length,
        nodesDiffer: false,
        message: null,
      });
    const there = reportUses({ ...deps, passwords: elsewhere });
    await expect
      .poll(async () => (await report())[0])
      .toMatchObject({
        nodesDiffer: true,
        isFailing: true,
        message: 'Nodes differ: 1 of 2 processes answer from another list or have none.',
      });
    await there.stop();
    expect(await report()).toMatchObject([{ nodesDiffer: false }]);
    await here.stop();
    await elsewhere.close();
    expect(await report()).toEqual([]);
  });
});
