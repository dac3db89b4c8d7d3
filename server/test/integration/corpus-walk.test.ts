import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { mergeSnapshot, type SourceSettings } from '#capabilities/corpus/index.ts';
import { type Listable, parseIndicator } from '#domain/indicator/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { IS_FULL_SIZE } from '#test/lane.ts';
import { listedKeys, walkListings } from '#test/walk-listings.ts';
import { ingestSnapshot } from '../../src/capabilities/feeds/ingest/ingest-snapshot.ts';
import type { FormatSpec } from '../../src/capabilities/lists/formats/format-spec.ts';

/**
 * No protected entry is served: every entry of a replica is read back and judged by an independent second
 * check.
 */

const DATA = join(import.meta.dirname, '../../../../shared/data');
const HAS_DATA = existsSync(join(DATA, 'MANIFEST.json'));
const DATA_AT_MS = Date.UTC(2026, 7, 22);
const clock = systemClock();
const log = createLog('silent');
const folders: string[] = [];
let database: TestDatabase;
let system: Postgres;
let owner: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
});
afterEach(async () => {
  await owner.end();
  await system.close();
  await database.drop();
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-corpus-walk-'));
  folders.push(folder);
  return folder;
}

const ingestDeps = () => ({ system, clock, log, dataDir: newFolder() });

/** Imports a file through the regular pipeline, with its gates. */
async function ingest(id: string, path: string, format: FormatSpec, settings: SourceSettings): Promise<void> {
  await ingestSnapshot(ingestDeps(), {
    sourceId: id,
    settings,
    files: [{ path, format }],
    dataAtMs: DATA_AT_MS,
    judge: () => undefined,
    canaries: true,
  });
}

const UNLISTABLE = `
0.0.0.0 0.0.0.0/0 ::/0 10.0.0.0/8 10.1.2.3 100.64.1.1 127.0.0.1 127.0.0.0/8 169.254.169.254 172.16.0.1 172.20.0.0/16
192.168.0.0/16 192.168.1.1 192.0.2.1 198.18.0.1 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.250 240.0.0.1
255.255.255.255 192.0.0.0/8 172.0.0.0/8 64.0.0.0/7 16.0.0.0/4 2000::/3 2001::/15 ::1 fe80::1 fc00::1 ff02::1 2001:db8::1
com co.uk github.io pages.dev blogspot.com workers.dev
8.8.8.8 1.1.1.1 2606:4700:4700::1111 www.google.com github.com www.update.microsoft.com
d41d8cd98f00b204e9800998ecf8427e e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
http://192.168.0.1/shell http://10.0.0.1:8080/a http://[fe80::1]/x http://127.0.0.1/
`
  .trim()
  .split(/\s+/);
const LISTABLE = `
11.0.0.0/8 64.0.0.0/8 9.1.2.3 172.15.255.255 172.32.0.1 2a03:2880::/32 2a03:2880::1 evil.example.com evil.github.io
a.pages.dev 8.8.8.0/24 mail.google.com http://1.1.1.1/a https://github.com/evil/x.exe http://evil.github.io/
68b329da9893e34099c7d8ad5cb9c941 bit.ly
`
  .trim()
  .split(/\s+/);

test('of a list with every kind of protected entry, only the other entries are served', async () => {
  const path = join(newFolder(), 'list.txt');
  writeFileSync(path, [...UNLISTABLE, ...LISTABLE].join('\n'));
  await ingest('everything', path, { kind: 'plain' }, {});
  const found = await walkListings(system, owner);
  expect(found.problems).toEqual([]);
  expect(found.entries).toBe(LISTABLE.length);
});

test('the walk finds entries that bypassed the pipeline', async () => {
  const past = UNLISTABLE.flatMap((text): Listable[] => {
    const parsed = parseIndicator(text);
    return parsed.ok ? [parsed.indicator] : [];
  });
  await mergeSnapshot({ system, clock }, 'backdoor', [past.map((indicator) => ({ indicator }))], {
    dataAtMs: DATA_AT_MS,
    settings: {},
  });
  const found = await walkListings(system, owner);
  expect(found.problems).toHaveLength(new Set(past.map(({ value }) => value)).size);
  // All but one are found, because a public suffix of one label is no indicator.
  expect(past.length).toBe(UNLISTABLE.length - 1);
});

test('a context list may contain entries that a threat list may not', async () => {
  const path = join(newFolder(), 'list.txt');
  writeFileSync(path, '8.8.8.8\ngithub.io\nwww.google.com\n');
  await ingest('context', path, { kind: 'plain' }, { threatClass: 'infrastructure' });
  expect(await walkListings(system, owner)).toMatchObject({ entries: 3, accused: 0, problems: [] });
});

/** Lists that are known to contain private addresses, bogons, update hosts and shorteners. */
const AWKWARD: readonly (readonly [id: string, path: string, format: FormatSpec])[] = [
  ['level1', 'feeds/firehol/firehol_level1.netset', { kind: 'plain' }],
  ['log4j', 'feeds/cps-feeds/log4j.txt.gz', { kind: 'plain' }],
  ['cobaltstrike', 'feeds/cps-feeds/cobaltstrike_ips.txt', { kind: 'plain' }],
  ['predict', 'feeds/cps-feeds/predict.txt', { kind: 'plain' }],
  ['collected', 'feeds/cps-feeds/cps-collected-iocs.txt.gz', { kind: 'plain' }],
  ['destroylist', 'feeds/destroylist/dnsmasq.conf.gz', { kind: 'dnsmasq' }],
  ['phishtank', 'feeds/phishtank/hosts.txt.gz', { kind: 'hosts' }],
];

test.runIf(HAS_DATA && IS_FULL_SIZE)(
  'no protected entry of the difficult real lists is served (needs the data set)',
  async () => {
    for (const [id, path, format] of AWKWARD) await ingest(id, join(DATA, path), format, {});
    const found = await walkListings(system, owner);
    console.info('awkward lists', { ...found, problems: found.problems.length });
    expect(found.problems).toEqual([]);
    expect(found.entries).toBe(await listedKeys(owner));
    expect(found.accused).toBeGreaterThan(50_000);
  },
  1_800_000,
);
