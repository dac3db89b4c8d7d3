import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reader, type Response } from 'mmdb-lib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EMPTY_BOOK } from '#capabilities/enrichment/index.ts';
import { createAssessor, createMissCache } from '#capabilities/judging/index.ts';
import { NO_SIGNAL_BOOK } from '#capabilities/signals/index.ts';
import { keepStandings } from '#capabilities/standing/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { connectPostgres, type Postgres } from '#platform/postgres.ts';
import { PATIENT } from '#test/database.ts';
import { capturedLog, recordedGates, testApp } from '#test/http-app.ts';
import { indicatorOf, type ListedCorpus, openListedCorpus } from '#test/listed-corpus.ts';
import { publicationsOf } from '#test/publications.ts';
import { buildMmdb } from './build-mmdb.ts';
import type { MmdbJudge } from './gather-networks.ts';
import { type Mmdb, openMmdb } from './open-mmdb.ts';
import { mmdbRoutes } from './routes.ts';
import { readState, releaseHeld } from './store.ts';

const START_MS = Date.UTC(2026, 8, 1);
const HOUR_MS = 3_600_000;
const C2 = { category: 'c2', reliability: 0.95, letter: 'A', fpRisk: 'low', redistributable: true } as const;
const OWNED = { ...C2, category: 'botnet', lineage: 'owned', cidrSemantics: 'owned' } as const;

let listed: ListedCorpus;
let judge: MmdbJudge;
let postgres: Postgres;
let mmdb: Mmdb;
let dataDir: string;
let app: ReturnType<typeof testApp>;
const { log } = capturedLog('silent');

const build = async (audience: 'public' | 'internal' = 'public') => {
  listed.pass(HOUR_MS);
  await keepStandings(judge, { run: `run-${listed.clock.now()}`, transaction: listed.system.transaction });
  const report = await buildMmdb({ judge, audience, transaction: listed.system.transaction });
  await mmdb.refresh();
  return report;
};
type Found = { readonly score: number; readonly level: string; readonly sources: readonly string[] };
const read = (text: string): Found | null => {
  const path = mmdb.find()?.file.path;
  if (path === undefined) throw new Error('There is no file.');
  return new Reader<Response>(readFileSync(path)).get(text) as unknown as Found | null;
};
const checked = (text: string) => {
  const assess = createAssessor({ ...judge, misses: createMissCache(listed.clock) });
  const { verdict } = assess(indicatorOf(text));
  return { score: verdict.riskScore.score, level: verdict.riskScore.level };
};

beforeAll(async () => {
  listed = await openListedCorpus(START_MS);
  const { clock } = listed;
  judge = {
    corpus: listed.corpus,
    enrichment: { book: () => EMPTY_BOOK, networks: () => null },
    signals: { book: () => NO_SIGNAL_BOOK },
    clock,
    refresh: () => listed.built.replica.refresh(),
  };
  postgres = connectPostgres(
    { DATABASE_URL: listed.databaseUrl, POSTGRES_POOL_MAX: 2 },
    'assay_app',
    PATIENT,
  );
  dataDir = await mkdtemp(join(tmpdir(), 'assay-mmdb-'));
  const artifacts = createArtifacts({ postgres, dataDir, log, clock });
  mmdb = await openMmdb({ postgres, artifacts, clock, log, memoryMb: 64 });
  app = testApp(
    mmdbRoutes({ mmdb, publications: publicationsOf({ postgres, system: listed.system }, clock) }),
    { gates: recordedGates().gates },
  );
});
afterAll(async () => {
  await mmdb?.close();
  await postgres?.close();
  await listed?.close();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(() => listed.pass(HOUR_MS));

test('before the first build the information says so and a download is 503', async () => {
  expect((await app.inject('/mmdb/info')).json()).toMatchObject({
    available: false,
    nodeCount: null,
    ipVersion: 6,
  });
  const answer = await app.inject('/mmdb/download');
  // At midnight; the next build is at three minutes past.
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '180']);
  expect(answer.json().message).toContain('Nothing is imported yet.');
});

describe('what it says of an address', () => {
  test('an address that is listed, or lies in a listed range, has the score of a check', async () => {
    await listed.list('c2', ['45.83.64.1', '2a0b:f4c0::1', '45.83.65.0/24'], C2);
    await listed.list('owned', ['45.83.66.0/23', '2a0b:f4c1::/32', '45.83.66.9'], OWNED);
    await listed.list('cdn', ['45.83.66.128/25'], {
      threatClass: 'infrastructure',
      guard: 'service',
      category: 'cdn',
    });
    await listed.list('good', ['45.83.66.77'], { threatClass: 'allowlist', guard: 'known-good' });
    expect(await build()).toMatchObject({ outcome: 'built', addresses: 3, ranges: 3 });
    const asked = [
      '45.83.64.1',
      '2a0b:f4c0::1',
      '45.83.66.1',
      '45.83.66.9',
      '45.83.67.254',
      '2a0b:f4c1:9::1',
    ];
    for (const text of asked) expect(read(text), text).toMatchObject(checked(text));
    for (const text of ['45.83.66.77', '45.83.66.129']) {
      const { score } = checked(text);
      expect(read(text)?.score ?? 0, text).toBe(score >= 35 ? score : 0);
    }
    for (const text of ['45.83.64.2', '45.83.68.1', '2a0b:f4c2::1']) expect(read(text), text).toBeNull();
  });

  test('an address that carries an IPv4 address has its record, and Teredo has none', () => {
    const record = read('45.83.64.1');
    for (const text of ['::ffff:45.83.64.1', '64:ff9b::45.83.64.1', '2002:2d53:4001::1'])
      expect(read(text), text).toEqual(record);
    expect(read('2001:0:4136:e378:8000:63bf:d2ac:bffe')).toBeNull();
  });

  test('sources that may not be passed on are in no public file, and in the internal one', async () => {
    await listed.list('closed', ['45.83.70.1', '45.83.64.1'], {
      ...C2,
      lineage: 'closed',
      redistributable: false,
    });
    await build();
    expect(read('45.83.70.1')).toBeNull();
    expect(read('45.83.64.1')?.sources).toEqual(['c2']);
    await build('internal');
    expect(read('45.83.70.1')).toMatchObject({ ...checked('45.83.70.1'), sources: ['closed'] });
    expect(read('45.83.64.1')?.sources).toEqual(['c2', 'closed']);
  });
});

describe('builds', () => {
  test('nothing is built while nothing moved, and equal content is no new file', async () => {
    await build();
    const before = mmdb.find()?.file.sha256;
    const again = await buildMmdb({ judge, audience: 'public', transaction: listed.system.transaction });
    expect(again.outcome).toBe('unchanged');
    expect(['same content', 'built']).toContain((await build()).outcome);
    expect((await readState(postgres.db)).failure).toBeNull();
    expect(before).toBeDefined();
  });

  test('a build that loses half of its entries waits for an operator, and the last file stays', async () => {
    const before = mmdb.find()?.file.sha256;
    await listed.list('owned', [], OWNED);
    await listed.list('c2', ['45.83.64.1'], C2);
    expect((await build()).outcome).toBe('held');
    expect(mmdb.find()?.file.sha256).toBe(before);
    expect(await listed.system.transaction(releaseHeld)).toBe(true);
    const released = await buildMmdb({ judge, audience: 'public', transaction: listed.system.transaction });
    await mmdb.refresh();
    expect(released.outcome).toBe('built');
    expect(read('45.83.66.1')).toBeNull();
  });
});

describe('the download', () => {
  test('is the whole file with its tag, or the range that is asked for', async () => {
    const whole = await app.inject('/mmdb/download');
    const info = (await app.inject('/mmdb/info')).json();
    expect(whole.statusCode).toBe(200);
    expect(whole.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="assay.mmdb"',
      'accept-ranges': 'bytes',
    });
    expect(info).toMatchObject({
      available: true,
      sizeBytes: whole.rawPayload.length,
      sha256: mmdb.find()?.file.sha256,
      recordSize: 24,
    });
    const etag = String(whole.headers.etag);
    const part = await app.inject({
      url: '/mmdb/download',
      headers: { range: 'bytes=10-19', 'if-range': etag },
    });
    expect([part.statusCode, part.rawPayload]).toEqual([206, whole.rawPayload.subarray(10, 20)]);
    const none = await app.inject({ url: '/mmdb/download', headers: { 'if-none-match': etag } });
    expect([none.statusCode, none.rawPayload.length]).toEqual([304, 0]);
    const far = await app.inject({ url: '/mmdb/download', headers: { range: 'bytes=99999999-' } });
    expect(far.statusCode).toBe(416);
  });
});
