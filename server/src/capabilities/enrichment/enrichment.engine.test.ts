import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Ip, parseIndicator } from '#domain/indicator/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { systemClock } from '#platform/clock.ts';
import { asServiceError } from '#platform/http/render-error.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { makeMmdb } from '#test/mmdb.ts';
import type { ReferenceKind } from './compile-reference.ts';
import { type Enrichment, openEnrichment } from './enrichment.ts';
import { type LoadOptions, loadReference } from './load-reference.ts';
import { EMPTY_BOOK } from './network-book.ts';
import { RefusedFile } from './refused-file.ts';
import { listVersions } from './store.ts';

const log = createLog('silent');
const POLL = { timeout: 60_000 };
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2027, 0, 1);
const at = { ms: START_MS };
const clock = { now: () => at.ms, monotonic: () => performance.now() };

let database: TestDatabase;
let system: Postgres;
let postgres: Postgres;
let dataDir: string;
const opened: Enrichment[] = [];
const pools: Postgres[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 };
  system = asSystem(config);
  postgres = connectPostgres(config, 'assay_app', PATIENT);
});
afterAll(async () => {
  await Promise.all([system, postgres, ...pools].map((pool) => pool?.close()));
  await database?.drop();
});
beforeEach(async () => {
  at.ms = START_MS;
  await sql`delete from reference_version`.execute(system.db);
  await sql`delete from artifact`.execute(system.db);
  dataDir = mkdtempSync(join(tmpdir(), 'assay-reference-'));
  return async () => {
    // An enrichment that is still open would write its files into the folder again.
    await Promise.all(opened.splice(0).map((each) => each.close()));
    rmSync(dataDir, { recursive: true, force: true });
  };
});

const ip = (text: string): Ip => {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'ip') throw new Error(`'${text}' is no address.`);
  return parsed.indicator;
};
const countries = (code: string, networks = 1) =>
  makeMmdb(
    Object.fromEntries(
      Array.from({ length: networks }, (_, index) => [`9.${index}.0.0/16`, { country_code: code, index }]),
    ),
  );
const networks = (name: string) => `9.0.0.0,9.255.255.255,64500,${name}\n`;

const load = (
  kind: ReferenceKind,
  content: Uint8Array | string,
  options: LoadOptions = {},
  transaction = system.transaction,
) =>
  loadReference(
    { clock, transaction },
    kind,
    [{ label: 'a-file', bytes: Buffer.from(content), modifiedAtMs: START_MS - DAY_MS }],
    options,
  );

async function open(over: Partial<Parameters<typeof openEnrichment>[0]> = {}): Promise<Enrichment> {
  const artifacts = createArtifacts({ postgres, dataDir, log, clock: systemClock() });
  const enrichment = await openEnrichment({ postgres, artifacts, dataDir, log, pollMs: 25, ...over });
  opened.push(enrichment);
  return enrichment;
}
async function openOffline(): Promise<Enrichment> {
  const away = connectPostgres(
    { DATABASE_URL: 'postgres://127.0.0.1:1/none', POSTGRES_POOL_MAX: 1 },
    'assay_app',
  );
  const artifacts = createArtifacts({ postgres: away, dataDir, log, clock: systemClock() });
  pools.push(away);
  return open({ postgres: away, artifacts });
}
const countryOf = (enrichment: Enrichment) => enrichment.book().geoOf(ip('9.0.0.1'))?.countryCode ?? null;
const ispOf = (enrichment: Enrichment) => enrichment.book().geoOf(ip('9.0.0.1'))?.isp ?? null;

describe('the data a node answers from', () => {
  test('without files it is the empty book', async () => {
    const enrichment = await open();
    expect(enrichment.book()).toBe(EMPTY_BOOK);
    expect([enrichment.attack(), enrichment.networks()]).toEqual([null, null]);
  });

  test('loaded files are in use without a restart, place and network together', async () => {
    const enrichment = await open();
    await load('geo', countries('DE'));
    await expect.poll(() => countryOf(enrichment), POLL).toBe('DE');
    expect(ispOf(enrichment)).toBeNull();
    const withoutNetworks = enrichment.book().version;
    await load('asn', networks('Example Net'));
    await expect.poll(() => ispOf(enrichment), POLL).toBe('Example Net');
    expect(enrichment.book().geoOf(ip('9.0.0.1'))).toMatchObject({ country: 'Germany', asn: 64_500 });
    expect(enrichment.book().version).toMatch(/^[0-9a-f]{6}$/);
    expect(enrichment.book().version).not.toBe(withoutNetworks);
    expect(enrichment.networks()?.find(64_500)?.ranges).toHaveLength(1);
    expect(enrichment.book().geoOf(ip('10.0.0.1'))).toBeNull();
    expect(enrichment.book().geoOf(ip('11.0.0.1'))).toBeNull();
  });

  test('two nodes with the same files have the same version, in any order of loading', async () => {
    await load('geo', countries('DE'));
    await load('asn', networks('Example Net'));
    const first = await open();
    await load('geo', countries('FR'));
    await load('geo', countries('DE'));
    const second = await open();
    expect(countryOf(second)).toBe('DE');
    // The first node checks for new versions at intervals, so it may still show FR for a moment.
    await expect.poll(() => first.book().version, POLL).toBe(second.book().version);
  });

  test('a lookup sees the old files or the new ones, never a mixture, while versions are swapped', async () => {
    const enrichment = await open();
    await load('geo', countries('DE'));
    await load('asn', networks('DE'));
    await expect.poll(() => ispOf(enrichment), POLL).toBe('DE');
    const seen = new Set<string>();
    let isOver = false;
    const asking = (async () => {
      while (!isOver) {
        const book = enrichment.book();
        const [one, two] = [book.geoOf(ip('9.0.0.1')), book.geoOf(ip('9.0.0.2'))];
        expect(one).toEqual(two);
        seen.add(`${book.version} ${one?.countryCode}${one?.isp}`);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    try {
      for (const code of ['FR', 'IT', 'ES']) {
        at.ms += 1_000;
        await load('geo', countries(code));
        await load('asn', networks(code));
        await expect.poll(() => `${countryOf(enrichment)}${ispOf(enrichment)}`, POLL).toBe(`${code}${code}`);
      }
    } finally {
      isOver = true;
      await asking;
    }
    expect(new Set([...seen].map((line) => line.split(' ')[0])).size).toBe(seen.size);
  });
});

describe('without PostgreSQL', () => {
  test('a node starts with its last files, and empty when it had none', async () => {
    expect((await openOffline()).book()).toBe(EMPTY_BOOK);
    await load('geo', countries('DE'));
    const online = await open();
    const { version, geoAtMs } = online.book();
    const offline = await openOffline();
    expect(countryOf(offline)).toBe('DE');
    expect([offline.book().version, offline.book().geoAtMs]).toEqual([version, geoAtMs]);
    await expect(offline.bookAt(START_MS)).rejects.toSatisfy(
      (error) => asServiceError(error).code === 'Service unavailable',
    );
  });

  test('a damaged copy on the disk is fetched again; a damaged one in the store leaves the old one in use', async () => {
    await load('geo', countries('DE'));
    await (await open()).close();
    const folder = join(dataDir, 'artifacts');
    for (const file of readdirSync(folder))
      if (file !== 'names') writeFileSync(join(folder, file), 'damaged');
    const enrichment = await open();
    expect(countryOf(enrichment)).toBe('DE');
    const breaking: Postgres['transaction'] = (work) =>
      system.transaction(async (tx) => {
        const report = await work(tx);
        await sql`delete from artifact_chunk`.execute(tx);
        return report;
      });
    await load('geo', countries('FR'), {}, breaking);
    rmSync(folder, { recursive: true, force: true });
    await load('asn', networks('Example Net'));
    await expect.poll(() => ispOf(enrichment), POLL).toBe('Example Net');
    expect(countryOf(enrichment)).toBe('DE');
  });
});

describe('loading', () => {
  test('the same content again adds nothing; earlier content, loaded again, is current again', async () => {
    expect((await load('geo', countries('DE'))).outcome).toBe('loaded');
    expect((await load('geo', countries('DE'))).outcome).toBe('unchanged');
    await load('geo', countries('FR'));
    expect((await load('geo', countries('DE'))).outcome).toBe('loaded');
    expect((await listVersions(system.db)).map(({ kind }) => kind)).toEqual(['geo', 'geo', 'geo']);
    expect(countryOf(await open())).toBe('DE');
  });

  test('the date is the given one, else the one in the file, else that of the file; never the future', async () => {
    const given = await load('geo', countries('DE'), { dataAtMs: START_MS - 5 * DAY_MS });
    expect(given.version.dataAtMs).toBe(START_MS - 5 * DAY_MS);
    expect((await load('geo', countries('FR'))).version.dataAtMs).toBe(1_780_000_000_000);
    expect((await load('asn', networks('A'))).version.dataAtMs).toBe(START_MS - DAY_MS);
    const ahead = makeMmdb(
      { '9.0.0.0/16': { country_code: 'IT' } },
      { builtAtS: START_MS / 1_000 + 999_999 },
    );
    expect((await load('geo', ahead)).version.dataAtMs).toBe(START_MS);
    await expect(load('asn', networks('B'), { dataAtMs: START_MS + 1 })).rejects.toThrow(
      /lies in the future/,
    );
  });

  test('a refused file and one with less than half of the content leave the old one; force accepts it', async () => {
    await load('geo', countries('DE', 20));
    await expect(load('geo', '<html>')).rejects.toBeInstanceOf(RefusedFile);
    await expect(load('geo', countries('FR', 9))).rejects.toThrow(
      'The new version of geo holds 9 networks and the one in use 20. It was not taken; --force takes it.',
    );
    expect(countryOf(await open())).toBe('DE');
    await load('geo', countries('FR', 10));
    await load('geo', countries('IT', 2), { force: true });
    expect(countryOf(await open())).toBe('IT');
  });

  test('versions are kept 180 days after they were replaced, the newest for ever, and files are deleted with them', async () => {
    await load('geo', countries('DE'));
    at.ms += 200 * DAY_MS;
    await load('geo', countries('FR'));
    at.ms += 179 * DAY_MS;
    await load('geo', countries('IT'));
    expect(await listVersions(system.db)).toHaveLength(3);
    at.ms += 2 * DAY_MS;
    await load('geo', countries('ES'));
    expect((await listVersions(system.db)).length).toBe(3);
    const { rows } = await sql<{ name: string }>`select name from artifact`.execute(system.db);
    expect(rows).toHaveLength(3);
    at.ms += 5_000 * DAY_MS;
    await load('asn', networks('A'));
    expect((await listVersions(system.db)).map(({ kind }) => kind)).toEqual(['asn', 'geo']);
    expect(countryOf(await open())).toBe('ES');
  });

  test('ATT&CK carries the notice of MITRE', async () => {
    const bundle = {
      type: 'bundle',
      objects: [
        {
          type: 'attack-pattern',
          id: 'attack-pattern--1',
          name: 'Phishing',
          modified: '2026-01-01T00:00:00.000Z',
          external_references: [{ source_name: 'mitre-attack', external_id: 'T1566' }],
          kill_chain_phases: [{ kill_chain_name: 'mitre-attack', phase_name: 'initial-access' }],
        },
      ],
    };
    const { version } = await load('attack', JSON.stringify(bundle));
    expect(version.attribution).toMatch(/© The MITRE Corporation/);
    expect(version.dataAtMs).toBe(Date.UTC(2026, 0, 1));
    expect((await open()).attack()?.techniqueOf('T1566')?.name).toBe('Phishing');
  });
});

describe('a past moment', () => {
  test('is answered with the files of that time, and the present with the book in use', async () => {
    const times: number[] = [];
    const codes = ['DE', 'FR', 'IT', 'ES', 'PT', 'NL'];
    for (const code of codes) {
      at.ms += DAY_MS;
      await load('geo', countries(code));
      times.push(at.ms);
    }
    const enrichment = await open();
    expect((await enrichment.bookAt(START_MS)).geoOf(ip('9.0.0.1'))).toBeNull();
    expect(await enrichment.attackAt(START_MS)).toBeNull();
    for (const round of [0, 1])
      for (const [index, ms] of times.entries()) {
        const book = await enrichment.bookAt(ms + round);
        expect(book.geoOf(ip('9.0.0.1'))?.countryCode).toBe(codes[index]);
      }
    expect(await enrichment.bookAt(at.ms)).toBe(enrichment.book());
    const third = times[2] ?? 0;
    expect(await enrichment.bookAt(third)).toBe(await enrichment.bookAt(third + 1));
  });
});
