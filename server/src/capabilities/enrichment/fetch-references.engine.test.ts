import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log.ts';
import { createOutbound, type Outbound } from '#platform/outbound.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { makeMmdb } from '#test/mmdb.ts';
import { type Publisher, startPublisher } from '#test/publisher.ts';
import { fetchReference } from './fetch-references.ts';
import { referenceWorkerPart } from './jobs.ts';
import { fetchStates, listVersions } from './store.ts';

const log = createLog('silent');
const NOW_MS = Date.UTC(2027, 0, 1);
const clock = { now: () => NOW_MS, monotonic: () => performance.now() };

let database: TestDatabase;
let system: Postgres;
let outbound: Outbound;
let publisher: Publisher;
beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 });
  publisher = await startPublisher();
  outbound = createOutbound({ log, clock, allow: [publisher.allow] });
});
afterAll(async () => {
  await outbound?.close();
  await publisher?.close();
  await system?.close();
  await database?.drop();
});
beforeEach(async () => {
  await sql`delete from reference_version`.execute(system.db);
  await sql`delete from reference_fetch`.execute(system.db);
});

const fetch = (kind: 'geo' | 'asn', ...names: readonly string[]) =>
  fetchReference(
    { clock, log, outbound, db: system.db, transaction: system.transaction },
    kind,
    names.map((name) => publisher.url(name)),
  );
const statuses = (name: string) =>
  publisher.asked.filter(({ path }) => path === name).map(({ status }) => status);

describe('fetching reference data', () => {
  test('a file is loaded once; unchanged it costs one conditional request', async () => {
    publisher.publish('places.mmdb', gzipSync(makeMmdb({ '9.0.0.0/16': { country_code: 'DE' } })));
    expect(await fetch('geo', 'places.mmdb')).toMatchObject({ outcome: 'loaded', reason: null });
    expect(await fetch('geo', 'places.mmdb')).toMatchObject({ outcome: 'unchanged' });
    expect(statuses('places.mmdb')).toEqual([200, 304]);
    expect(await listVersions(system.db)).toMatchObject([{ kind: 'geo', name: 'Test-City' }]);
  });

  test('a table in two files consists of both, also when only one is new', async () => {
    const lastModified = 'Tue, 01 Dec 2026 00:00:00 GMT';
    publisher.publish('four.csv', '9.0.0.0,9.0.0.255,64500,A\n', { lastModified });
    publisher.publish('six.csv', '2a00::,2a00::ff,64500,A\n', { lastModified });
    await fetch('asn', 'four.csv', 'six.csv');
    publisher.publish('six.csv', '2a00::,2a00::ff,64500,A\n2a01::,2a01::ff,64501,B\n');
    expect(await fetch('asn', 'four.csv', 'six.csv')).toMatchObject({ outcome: 'loaded' });
    const [newest, before] = await listVersions(system.db);
    expect(newest?.details).toEqual({ ranges4: 1, ranges6: 2, systems: 2 });
    expect(before?.dataAtMs).toBe(Date.parse(lastModified));
    expect(statuses('four.csv')).toEqual([200, 304, 200]);
  });

  test('a download that is no reference data is refused with a sentence, the old version stays, and it is requested again', async () => {
    publisher.publish('net.csv', '9.0.0.0,9.0.0.255,64500,A\n');
    await fetch('asn', 'net.csv');
    publisher.publish('net.csv', '<html>blocked</html>', { type: 'text/html' });
    const failed = await fetch('asn', 'net.csv');
    expect(failed).toEqual({ kind: 'asn', outcome: 'failed', reason: 'net.csv is a web page, not data.' });
    expect(await fetchStates(system.db, 'asn')).toMatchObject([{ etag: null, problem: failed.reason }]);
    expect(await listVersions(system.db)).toHaveLength(1);
    publisher.misbehave('net.csv', (_, response) => response.writeHead(503).end());
    expect((await fetch('asn', 'net.csv')).reason).toMatch(/status 503/);
    publisher.misbehave('net.csv', (_, response) => response.destroy());
    expect((await fetch('asn', 'net.csv')).outcome).toBe('failed');
    publisher.publish('net.csv', '9.0.0.0,9.0.0.255,64500,B\n');
    expect((await fetch('asn', 'net.csv')).outcome).toBe('loaded');
    expect(await fetchStates(system.db, 'asn')).toMatchObject([{ problem: null }]);
  });

  test('nothing is scheduled unless a URL is configured; the job fetches the configured kinds', async () => {
    const deps = { clock, system, outbound };
    expect(referenceWorkerPart({ ...deps, urls: { geo: [], asn: [], attack: [] } })).toEqual({
      jobs: [],
      crons: [],
    });
    publisher.publish('job.csv', '9.0.0.0,9.0.0.255,64500,Job\n');
    const part = referenceWorkerPart({
      ...deps,
      urls: { geo: [], asn: [publisher.url('job.csv')], attack: [] },
    });
    expect(part.crons).toHaveLength(1);
    const context = { log, transaction: system.transaction, signal: new AbortController().signal };
    await part.jobs[0]?.run(context as never, {} as never);
    expect(await listVersions(system.db)).toMatchObject([{ kind: 'asn', name: 'job.csv' }]);
  });
});
