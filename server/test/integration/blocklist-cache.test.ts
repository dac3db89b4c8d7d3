import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Blocklists,
  blocklistsRoutes,
  buildLists,
  openBlocklists,
} from '#capabilities/blocklists/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { systemClock } from '#platform/clock.ts';
import { asSystem, connectPostgres, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { eventually, freePort } from '#test/eventually.ts';
import { CALLER, capturedLog, listen, recordedGates, testApp } from '#test/http-app.ts';
import { publicationsOf } from '#test/publications.ts';

/** A shared cache before the service, with the cache key that an operator would write first: the address alone. */
const LIST = 'blocklist-ips-all.txt';
const VALUES = Array.from({ length: 2_000 }, (_, i) => `10.0.${i >> 8}.${i & 255}`);
const clock = systemClock();
const { log } = capturedLog('silent');

let database: TestDatabase;
let pools: readonly Postgres[];
let blocklists: Blocklists;
let app: FastifyInstance;
let dir: string;
let url: string;
let stopNginx: () => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 };
  const [postgres, system] = [connectPostgres(config, 'assay_app', PATIENT), asSystem(config)];
  pools = [postgres, system];
  dir = await mkdtemp(join(tmpdir(), 'assay-cache-'));
  const artifacts = createArtifacts({ postgres, dataDir: dir, log, clock });
  const source = {
    entriesOf: async function* () {
      yield VALUES.map((value) => ({ value, score: 90, family: null, reason: '' }));
    },
    membershipVersion: async () => '1',
  };
  const build = { clock, source, openArtifact: artifacts.openArtifact, transaction: system.transaction };
  await buildLists(build, [LIST]);
  const listConfig = { LIST_MEMORY_MB: 16, DISTRIBUTION: 'public' } as const;
  blocklists = await openBlocklists({
    config: listConfig,
    postgres,
    system,
    artifacts,
    clock,
    log,
    withheld: async () => [],
    allowed: async () => [],
    publications: publicationsOf({ postgres, system }, clock),
  });
  const { gates } = recordedGates({
    identify: ({ headers }) =>
      headers['x-api-key'] === undefined ? { ...CALLER, kind: 'anonymous', plan: 'ANONYMOUS' } : CALLER,
  });
  app = testApp(blocklistsRoutes(blocklists), { gates });
  const [upstream, port] = [await listen(app), await freePort()];
  url = `http://127.0.0.1:${port}/blocklist/download/${LIST}`;
  stopNginx = await startCache(upstream, port);
});
afterAll(async () => {
  await stopNginx?.();
  await app?.close();
  await blocklists?.close();
  await Promise.all((pools ?? []).map((pool) => pool.close()));
  await database?.drop();
  await rm(dir, { recursive: true, force: true });
});

async function startCache(upstream: number, port: number): Promise<() => Promise<void>> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${dir}/${name};`)
    .join(' ');
  const file = join(dir, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; user root; worker_processes 1; pid ${dir}/pid; error_log ${dir}/error.log warn;
     events { worker_connections 256; }
     http { access_log off; ${temporary}
       proxy_cache_path ${dir}/cache keys_zone=lists:1m;
       server { listen 127.0.0.1:${port};
         location / { proxy_pass http://127.0.0.1:${upstream}; proxy_cache lists; proxy_cache_key $request_uri;
           proxy_cache_valid 200 10m; add_header X-Cache $upstream_cache_status always; } } }`,
  );
  const child = spawn('nginx', ['-p', dir, '-c', file, '-e', join(dir, 'error.log')], { stdio: 'ignore' });
  const isUp = async () =>
    (await fetch(`http://127.0.0.1:${port}/blocklist/stats`).catch(() => null)) !== null;
  await eventually('nginx answers', 10_000, isUp);
  return () =>
    new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGTERM');
    });
}

const ask = async (headers: Record<string, string>) => {
  const answer = await fetch(url, { headers });
  const lines = (await answer.text()).split('\n').length - 1;
  return { lines, variant: answer.headers.get('x-blocklist-variant'), cache: answer.headers.get('x-cache') };
};

test('a shared cache never gives the full list to a caller without a key, nor the sample to one with', async () => {
  for (let round = 0; round < 20; round += 1) {
    const [first, second] = round % 2 === 0 ? [true, false] : [false, true];
    for (const hasKey of [first, second]) {
      const answer = await ask({ 'accept-encoding': 'identity', ...(hasKey ? { 'x-api-key': 'k' } : {}) });
      expect(answer.variant).toBe(hasKey ? 'full' : 'sample');
      expect(answer.cache).not.toBe('HIT');
      if (hasKey) expect(answer.lines).toBe(2_000);
      else expect(answer.lines).toBeLessThan(400);
    }
  }
});

test('the cache does keep what is public, so that the test above means something', async () => {
  const stats = url.replace(`download/${LIST}`, 'stats');
  await fetch(stats);
  expect((await fetch(stats)).headers.get('x-cache')).toBe('HIT');
});
