import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListName } from '#capabilities/blocklists/index.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { expectWithin } from '#test/expect-within.ts';
import { bySize } from '#test/lane.ts';
import { keepResult } from '#test/proof-results.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { INHERITED_ENV, type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccounts } from '#test/service-accounts.ts';

const PULLS_A_SECOND = 40;
const SECONDS = bySize(20, 600);
const SHARE = bySize(0.02, 1);
const P99_MS = 250;
/** Firewalls ask every five minutes. With 40 pulls a second that is 12,000 of them. */
const FIREWALLS = PULLS_A_SECOND * Math.min(SECONDS / 2, 300);
/** One key may pull 3,600 files an hour, so a full run needs many. */
const KEYS = bySize(2, 50);
/** The part of the run after which the lists are built again. From then on each firewall has an old ETag, once. */
const REBUILD_AT = 0.4;
/** One file in this many is compared with the digest in its ETag. */
const COMPARED_OF = bySize(5, 100);
const [SCRIPT, RUN] = [
  join(import.meta.dirname, '../support/firewall-lists-process.ts'),
  promisify(execFile),
];
const folder = mkdtempSync(join(tmpdir(), 'assay-pulled-'));
const random = seededRandom('lists-pulled');
const pick = <T>(weighted: readonly (readonly [part: number, value: T])[]): T => {
  let left = random();
  for (const [part, value] of weighted) {
    left -= part;
    if (left < 0) return value;
  }
  return weighted[0]?.[1] as T;
};

/** Programs that take gzip, programs that take a file as it is, and a few that take zstd. */
const ENCODINGS = [
  [0.6, 'gzip'],
  [0.3, 'identity'],
  [0.1, 'gzip, zstd'],
] as const;
const FILES: readonly (readonly [number, { readonly list: ListName; readonly query: string }])[] = [
  [0.5, { list: 'blocklist-ips-all.txt', query: '' }],
  [0.1, { list: 'blocklist-ips-all.txt', query: '?format=nftables' }],
  [0.15, { list: 'blocklist-ips-critical.txt', query: '' }],
  [0.05, { list: 'blocklist-ips-all.txt', query: '?max_entries=50000' }],
  [0.2, { list: 'blocklist-domains-all.txt', query: '' }],
];

type Firewall = {
  readonly path: string;
  readonly encoding: string;
  readonly key: string;
  /** False for one in ten, which never sends the ETag back, as a client that does not know its use. */
  readonly keepsTag: boolean;
  etag: string | null;
};

let database: TestDatabase;
let service: Service;
let accounts: ServiceAccounts;
let keys: string[];
const agent = new Agent({ connections: 128, pipelining: 1 });

const build = (version: number) =>
  RUN(process.execPath, [SCRIPT, database.url, join(folder, 'build'), String(version), String(SHARE)], {
    env: INHERITED_ENV,
  });

async function isFull(list: ListName, key: string): Promise<boolean> {
  const url = `${service.url}/blocklist/download/${list}`;
  const { headers } = await fetch(url, { method: 'HEAD', headers: { 'X-API-KEY': key } });
  return headers.get('x-blocklist-variant') === 'full';
}

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ databaseUrl: database.url, dataDir: folder });
  accounts = openAccounts(service);
  await build(0);
  const { accountId, credential } = await accounts.newAccount('firewalls@example.com', { plan: 'BASIC' });
  keys = [credential];
  for (const [, { list }] of FILES)
    await eventually(`the node has ${list}`, 60_000, () => isFull(list, credential));
  for (let nth = 1; nth < KEYS; nth += 1) {
    const key = await accounts.newBoundKey(accountId, []);
    // An unknown key counts as its address, which has 600 files an hour, so it is not asked for often.
    await eventually('the key is known', 60_000, async () => {
      await sleep(500);
      return isFull('blocklist-ips-critical.txt', key);
    });
    keys.push(key);
  }
});
afterAll(async () => {
  await agent.close();
  await accounts?.close();
  await service?.stop();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

type Pulled = { readonly status: number; readonly ms: number; readonly bytes: number };

async function pull(firewall: Firewall, nth: number): Promise<Pulled> {
  const startedAt = performance.now();
  const { statusCode, headers, body } = await request(`${service.url}${firewall.path}`, {
    dispatcher: agent,
    headers: {
      'X-API-KEY': firewall.key,
      'accept-encoding': firewall.encoding,
      ...(firewall.keepsTag && firewall.etag !== null && { 'if-none-match': firewall.etag }),
    },
  });
  let bytes = 0;
  const parts: Buffer[] = [];
  for await (const part of body) {
    bytes += (part as Buffer).length;
    if (nth % COMPARED_OF === 0) parts.push(part as Buffer);
  }
  const ms = performance.now() - startedAt;
  const etag = String(headers.etag);
  if (headers['x-blocklist-variant'] !== 'full') throw new Error(`${statusCode} is not the full list`);
  if (statusCode === 200) {
    firewall.etag = etag;
    if (parts.length > 0) compare(firewall.path, etag, headers['content-encoding'], Buffer.concat(parts));
  }
  return { status: statusCode, ms, bytes };
}

let compared = 0;
/** The first digits of an ETag are those of the text of the list. */
function compare(path: string, etag: string, encoding: unknown, body: Buffer): void {
  if (path.includes('?')) return;
  const text = encoding === 'gzip' ? gunzipSync(body) : encoding === 'zstd' ? zstdDecompressSync(body) : body;
  const digits = createHash('sha256').update(text).digest('hex').slice(0, 32);
  if (!etag.startsWith(`"${digits}-full`)) throw new Error(`${etag} has a text of ${digits}`);
  compared += 1;
}

/** The firewalls, each with the ETag of the first version for its file and encoding. */
async function firewallsWithTags(): Promise<readonly Firewall[]> {
  const tags = new Map<string, string>();
  const firewalls: Firewall[] = [];
  for (let nth = 0; nth < FIREWALLS; nth += 1) {
    const { list, query } = pick(FILES);
    const firewall: Firewall = {
      path: `/blocklist/download/${list}${query}`,
      encoding: pick(ENCODINGS),
      key: keys[nth % keys.length] ?? '',
      keepsTag: random() >= 0.1,
      etag: null,
    };
    const kind = `${firewall.path} ${firewall.encoding}`;
    if (!tags.has(kind)) {
      await pull(firewall, nth);
      tags.set(kind, firewall.etag ?? '');
    }
    firewalls.push({ ...firewall, etag: tags.get(kind) ?? null });
  }
  return firewalls;
}

test(`${PULLS_A_SECOND} pulls a second for ${SECONDS} s with a rebuild inside: none fails, 99 of 100 are answered ${bySize('', `within ${P99_MS} ms`)}`, async () => {
  const firewalls = await firewallsWithTags();
  const total = PULLS_A_SECOND * SECONDS;
  const failures: string[] = [];
  const seen: Pulled[] = [];
  const waiting: Promise<unknown>[] = [];
  let rebuilt: Promise<unknown> | null = null;
  const startedAt = performance.now();
  for (let nth = 0; nth < total; nth += 1) {
    if (rebuilt === null && nth >= total * REBUILD_AT) rebuilt = build(1);
    const firewall = firewalls[nth % firewalls.length];
    if (firewall !== undefined)
      waiting.push(
        pull(firewall, nth).then(
          (pulled) => void seen.push(pulled),
          (error: unknown) => void failures.push(`${firewall.path}: ${String(error)}`),
        ),
      );
    await sleep(Math.max(0, startedAt + ((nth + 1) * 1_000) / PULLS_A_SECOND - performance.now()));
  }
  await Promise.all([...waiting, rebuilt]);
  const times = seen.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  const whole = seen.filter(({ status }) => status === 200);
  const unchanged = seen.filter(({ status }) => status === 304).length;
  keepResult('lists-pulled', {
    pulls: seen.length,
    files: whole.length,
    unchanged,
    compared,
    megabytes: whole.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000,
    failures: failures.length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
  });
  expect(failures.slice(0, 5)).toEqual([]);
  expect(whole.length + unchanged).toBe(total);
  // Most firewalls have the first version, and pull the second one after it was built.
  expect(unchanged).toBeGreaterThan(total * 0.2);
  expect(new Set(firewalls.map(({ etag }) => etag)).size).toBeGreaterThan(FILES.length);
  expect(compared).toBeGreaterThan(10);
  expectWithin(at(0.99), P99_MS);
});
