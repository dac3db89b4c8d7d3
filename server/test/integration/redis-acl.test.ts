import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { METER_FUNCTIONS, METER_LIBRARY } from '#capabilities/metering/meter-library.ts';
import type { Redis } from '#platform/redis.ts';
import { eventually, freePort } from '#test/eventually.ts';
import { connectTestRedis } from '#test/redis.ts';
import { runOn } from '#test/redis-server.ts';

const START = join(import.meta.dirname, '../../../deploy/redis/start.sh');
const SRC = join(import.meta.dirname, '../../src');
const PASSWORD = 'a-password-of-the-operator';
const dir = mkdtempSync(join(tmpdir(), 'assay-acl-'));
const acl = join(dir, 'users.acl');

let child: ChildProcess;
let url: string;
let redis: Redis;

beforeAll(async () => {
  const port = await freePort();
  url = `redis://assay:${PASSWORD}@127.0.0.1:${port}`;
  child = spawn(START, ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir], {
    env: { PATH: process.env.PATH, REDIS_PASSWORD: PASSWORD, REDIS_ACL_FILE: acl },
    stdio: 'ignore',
  });
  await eventually('Redis answers its user', 20_000, () =>
    runOn(url, ['PING']).then(
      () => true,
      () => false,
    ),
  );
  redis = await connectTestRedis(url);
});
afterAll(async () => {
  redis?.close();
  child.kill('SIGKILL');
  await once(child, 'exit');
  rmSync(dir, { recursive: true, force: true });
});

/** The commands that the service sends, and those that its functions and scripts call inside Redis. */
function commandsOfTheSource(): Set<string> {
  const files = globSync(['**/*.ts', '**/*.lua'], { cwd: SRC }).filter(
    (file) => !file.endsWith('.test.ts') && !file.startsWith('app/'),
  );
  const commands = new Set<string>();
  for (const file of files) {
    const text = readFileSync(join(SRC, file), 'utf8');
    for (const [, name] of text.matchAll(/\bcall\('([A-Z]+)'/g)) commands.add(name ?? '');
    if (!/redis/i.test(text)) continue;
    for (const [, name] of text.matchAll(/\[\s*'([A-Z]{3,})',/g)) commands.add(name ?? '');
  }
  return commands;
}
/** Commands that are sent only to a cluster, whose users its operator sets up. */
const OF_A_CLUSTER = ['CLUSTER', 'ASKING'];

describe('the Redis of the deployment', () => {
  test('does not start without a password', () => {
    const { status, stderr } = spawnSync(START, [], { env: { PATH: process.env.PATH }, encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('REDIS_PASSWORD');
  });

  test('keeps a digest of the password in a file for its own user, and the password nowhere', () => {
    expect(statSync(acl).mode & 0o077).toBe(0);
    expect(readFileSync(acl, 'utf8')).not.toContain(PASSWORD);
    expect(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')).not.toContain(PASSWORD);
    expect(readFileSync(`/proc/${child.pid}/environ`, 'utf8')).not.toContain(PASSWORD);
  });

  test('answers neither strangers nor the default user', async () => {
    const stranger = url.replace(`assay:${PASSWORD}@`, '');
    await expect(runOn(stranger, ['PING'])).rejects.toThrow(/NOAUTH/);
    await expect(runOn(url.replace(PASSWORD, 'guess'), ['PING'])).rejects.toThrow(/WRONGPASS/);
    await expect(runOn(stranger.replace('//', '//default:@'), ['PING'])).rejects.toThrow(/NOAUTH|WRONGPASS/);
  });

  test('its user may do what the service does: every command of the source is allowed', () => {
    const rules = readFileSync(acl, 'utf8').split(/\s+/);
    const allowed = new Set(
      rules.flatMap((rule) =>
        rule.startsWith('+') ? [rule.slice(1).split('|')[0]?.toUpperCase() ?? ''] : [],
      ),
    );
    const used = commandsOfTheSource();
    expect([...used]).toEqual(expect.arrayContaining(['FCALL', 'XREAD', 'EVAL', 'HINCRBY', 'MGET']));
    const missing = [...used].filter((name) => !allowed.has(name) && !OF_A_CLUSTER.includes(name));
    expect(missing).toEqual([]);
  });

  test('the meters, streams and kept answers work as that user', async () => {
    await redis.loadLibrary(METER_LIBRARY);
    const shares = await redis.callFunction(
      METER_FUNCTIONS.heartbeat,
      ['assay:{nodes}:processes'],
      ['one', 'stay'],
    );
    expect(Number(shares)).toBeGreaterThanOrEqual(1);
    expect(await redis.command('assay:k', ['SET', 'assay:k', 'v', 'PX', '60000'])).toBe('OK');
    expect(await redis.command('assay:k', ['MGET', 'assay:k', 'assay:none'])).toEqual(['v', null]);
    const append = "return redis.call('XADD', KEYS[1], '1-0', 'event', ARGV[1])";
    expect(await redis.command('assay:s', ['EVAL', append, '1', 'assay:s', 'e'])).toBe('1-0');
    const reader = redis.duplicateBlocking('assay:s');
    expect(await reader.command(['XREVRANGE', 'assay:s', '+', '-', 'COUNT', '1'], 2_000)).toHaveLength(1);
    reader.close();
  });

  test.each([
    ['FLUSHALL'],
    ['CONFIG', 'GET', '*'],
    ['KEYS', '*'],
    ['ACL', 'LIST'],
    ['FUNCTION', 'DELETE', 'assay'],
    ['SHUTDOWN'],
    ['DEBUG', 'SLEEP', '1'],
    ['REPLICAOF', '127.0.0.1', '1'],
    ['MONITOR'],
    ['EVAL', "return redis.call('FLUSHALL')", '0'],
    ['SET', 'of-another-deployment', 'x'],
  ])('and nothing else: %s is refused', async (...argv) => {
    await expect(runOn(url, argv)).rejects.toThrow(
      /NOPERM|ACL failure|no permissions|not allowed|can't run this command/i,
    );
  });
});
