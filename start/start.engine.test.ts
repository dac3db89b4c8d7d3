import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mergeSettings, readSettingsPlaces } from '../server/launch/settings-files.ts';
import { databaseUrl, dropDatabase } from '../server/test/support/database.ts';
import { eventually, freePort } from '../server/test/support/eventually.ts';
import { MAIN } from '../server/test/support/main-file.ts';
import { REDIS_URL, removeKeys, testPrefix } from '../server/test/support/redis.ts';
import { findPostgres } from './engines/find-postgres.ts';
import { findRedis } from './engines/find-redis.ts';
import { onServer } from './engines/postgres-server.ts';

const DATABASE = `assay_start_${randomBytes(4).toString('hex')}`;
const OWNER = databaseUrl(DATABASE);
const PREFIX = testPrefix();
const folder = mkdtempSync(join(tmpdir(), 'assay-start-test-'));
const dataDir = join(folder, 'data');
const ROLES = ['app_login', 'system_login', 'weak'].map((suffix) => `${DATABASE}_${suffix}`);

/** The settings of a person's shell; the folder stands for the project, so that no `.env` of the checkout is read. */
const shell = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  DATABASE_URL: OWNER,
  REDIS_URL,
  REDIS_PREFIX: PREFIX,
  DATA_DIR: dataDir,
  METRICS_PORT: '0',
  FEEDS_ENABLED: 'false',
  LIVE_PROVIDERS: 'none',
};

/** `npm start` with the bundle of this test run instead of one that it builds. */
const PROGRAM = `
  import { main } from ${JSON.stringify(join(import.meta.dirname, 'main.ts'))};
  import { readSettingsPlaces } from ${JSON.stringify(join(import.meta.dirname, '../server/launch/settings-files.ts'))};
  const folder = ${JSON.stringify(folder)};
  await main([], readSettingsPlaces(process.env, { root: folder, cwd: folder }), async () => [
    { isBuilt: false, note: null },
    { main: ${JSON.stringify(MAIN)}, note: null },
  ]);
`;

function start(port: number) {
  const args = ['--input-type=module', '--eval', PROGRAM];
  const env = { ...shell, HTTP_PORT: String(port) };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  const ended = once(child, 'exit').then(([code]) => Number(code));
  return { child, said: () => text, ended };
}

const childrenOf = (pid: number): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)
    .flatMap((child) => [child, ...childrenOf(child)]);

function parentOf(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

let port: number;
let running: ReturnType<typeof start>;
beforeAll(async () => {
  port = await freePort();
  running = start(port);
  await eventually('Assay is ready', 300_000, () => {
    if (running.child.exitCode !== null) throw new Error(running.said());
    return running.said().includes('Ctrl-C stops Assay');
  });
});
afterAll(async () => {
  // Where a test failed it still runs; its parts end by themselves when it is killed.
  running?.child.kill('SIGKILL');
  await running?.ended;
  await dropDatabase(DATABASE);
  await onServer(OWNER, async (client) => {
    for (const role of ROLES) await client.query(`drop role if exists "${role}"`);
  });
  await removeKeys(PREFIX);
  rmSync(folder, { recursive: true, force: true });
});

/** What a second terminal reads, in which only the data folder is known. */
const secondTerminal = () => {
  const { environment, written, generated } = readSettingsPlaces(
    { PATH: shell.PATH, NODE_COMPILE_CACHE: shell.NODE_COMPILE_CACHE, DATA_DIR: dataDir },
    { root: folder, cwd: folder },
  );
  return mergeSettings([environment, written, generated]);
};

describe('npm start', () => {
  test('prints a key with which the first request is answered', async () => {
    const [, header = ''] = /export ASSAY_KEY='([A-Za-z0-9+/=]+)'/.exec(running.said()) ?? [];
    const url = `http://127.0.0.1:${port}`;
    expect(running.said()).toContain(`${url}/docs`);
    const answer = await fetch(`${url}/check?query=203.0.114.7`, { headers: { 'x-api-key': header } });
    expect(answer.status).toBe(200);
    const lists = await fetch(`${url}/taxii/api-root/collections`, { headers: { 'x-api-key': header } });
    expect(lists.status).toBe(200);
  });

  test('keeps its secrets for this user only, and the login of the owner from the parts that serve', () => {
    expect(statSync(join(dataDir, 'assay.env')).mode & 0o777).toBe(0o600);
    const [api = 0, ...others] = childrenOf(running.child.pid ?? 0);
    for (const pid of [api, ...others]) {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      expect(environment).not.toContain('MIGRATE_DATABASE_URL');
      expect(environment).not.toContain(`DATABASE_URL=${OWNER}`);
    }
  });

  test('a command in a second terminal works without any setting, and the next check uses the list', async () => {
    const list = join(folder, 'my-list.txt');
    writeFileSync(list, '203.0.114.7\n');
    const args = ['feeds', 'import', 'my-list', list, '--category', 'c2', '--json'];
    const said = execFileSync(process.execPath, [MAIN, 'admin', ...args], { env: secondTerminal() });
    expect(JSON.parse(said.toString())).toMatchObject(expect.anything());
    const [, key = ''] = /export ASSAY_KEY='([^']+)'/.exec(running.said()) ?? [];
    const checked = await fetch(`http://127.0.0.1:${port}/check?query=203.0.114.7`, {
      headers: { 'X-API-KEY': key },
    });
    expect(await checked.json()).toMatchObject({ riskScore: { word: 'Suspicious' } });
  });

  test('a second start from the same folder says where the first one runs', async () => {
    const second = start(port);
    expect(await second.ended).toBe(1);
    expect(second.said()).toContain(`Assay already runs from ${dataDir}: http://127.0.0.1:${port}`);
  });

  test('Ctrl-C that reaches every process stops all of them in order', async () => {
    const family = childrenOf(running.child.pid ?? 0);
    // The API with its listener and replicator, and the worker.
    expect(family.length).toBeGreaterThanOrEqual(4);
    for (const pid of [running.child.pid ?? 0, ...family]) process.kill(pid, 'SIGINT');
    expect(await running.ended, running.said()).toBe(0);
    expect(running.said()).toContain('Stopped; the data stays');
    await eventually('no process is left', 10_000, () => !family.some(isAlive));
  });
});

describe('a server that cannot be used is one sentence that says what to do', () => {
  const given = (url: string) => ({ url, from: 'operator', setting: 'DATABASE_URL' }) as const;

  test.each([
    [
      'PostgreSQL that does not answer',
      'postgres://me@127.0.0.1:1/assay',
      /does not answer on 127\.0\.0\.1:1 .*correct DATABASE_URL\./,
    ],
    [
      'a login that is not let in',
      OWNER.replace(/\/\/[^@]*@/, '//assay_start_unknown@'),
      /refuses the login 'assay_start_unknown'/,
    ],
  ])('%s', async (_what, url, sentence) => {
    await expect(findPostgres(given(url))).rejects.toThrow(sentence);
  });

  test('a login that may not create roles', async () => {
    const weak = `${DATABASE}_weak`;
    await onServer(OWNER, (client) => client.query(`create role "${weak}" login password 'weak'`));
    const url = OWNER.replace(/\/\/[^@]*@/, `//${weak}:weak@`);
    await expect(findPostgres(given(url))).rejects.toThrow(
      /may not create databases and roles.*MIGRATE_DATABASE_URL/,
    );
  });

  test('Redis that does not answer', async () => {
    await expect(findRedis('redis://127.0.0.1:1')).rejects.toThrow(
      /does not answer on 127\.0\.0\.1:1 .*correct REDIS_URL\./,
    );
  });
});
