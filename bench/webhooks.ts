import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { loadConfig } from '../server/src/platform/config.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { asSystem, type Postgres } from '../server/src/platform/postgres.ts';
import {
  accountOf,
  emitNumbered,
  percentile,
  putEndpoints,
  startSending,
  usedBy,
} from '../server/test/support/webhook-load.ts';
import { makeReceiverCertificate } from '../server/test/support/webhook-receiver.ts';

/**
 * npm run bench:webhooks -- [--endpoints 200] [--rate 1000] [--seconds 60]
 * How late webhooks are at a rate, to TLS receivers on loopback, and `ratio webhook-send`: deliveries for each CPU second of the
 * sending process (relay, reader and sender), beside bare undici that signs, posts the same bytes and writes one row each.
 */
const { values: flags } = parseArgs({
  options: {
    endpoints: { type: 'string', default: '200' },
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
  },
});
const [endpoints, rate, seconds] = [Number(flags.endpoints), Number(flags.rate), Number(flags.seconds)];
const total = rate * seconds;
const BATCH_MS = 50;
const DRAIN_MS = 120_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const round = (value: number): number => Number(value.toFixed(2));
const database = new URL(loadConfig().DATABASE_URL);
database.pathname = `/assay_bench_webhooks_${process.pid}`;

async function onServer(text: string): Promise<void> {
  const server = new URL(database);
  server.pathname = '/postgres';
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  await client.query(text);
  await client.end();
}

async function ask<T>(child: ChildProcess, message: string): Promise<T> {
  child.send(message);
  const [answer] = (await once(child, 'message')) as [T];
  return answer;
}

/** Emits events at the rate, a transaction every twentieth of a second, each event for the next account in turn. */
async function emitAtRate(system: Postgres): Promise<void> {
  const startedAt = performance.now();
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1_000) * rate));
    const events = Array.from({ length: due - sent }, (_, at) => ({
      accountId: accountOf((sent + at) % endpoints),
      n: sent + at,
    }));
    if (events.length > 0) await emitNumbered(system, events);
    sent = due;
    await sleep(BATCH_MS);
  }
}

type Figures = { readonly deliveries: number; readonly cpuS: number; readonly seconds: number };

async function measureOurs(
  receiver: ChildProcess,
  port: number,
  caFile: string,
  system: Postgres,
): Promise<Figures & { lags: number[] }> {
  await putEndpoints(
    system,
    Array.from({ length: endpoints }, (_, at) => `https://127.0.0.${at + 1}:${port}/`),
  );
  const sender = await startSending({
    ASSAY_ENV: 'test',
    LOG_LEVEL: 'warn',
    DATABASE_URL: database.href,
    REDIS_PREFIX: `bench-webhooks-${process.pid}`,
    WEBHOOK_ALLOW: `127.0.0.0/8:${port}`,
    WEBHOOK_CA_FILE: caFile,
  });
  const before = await usedBy(sender);
  const startedAt = performance.now();
  await emitAtRate(system);
  const untilMs = performance.now() + DRAIN_MS;
  while ((await ask<number>(receiver, 'count')) < total && performance.now() < untilMs) await sleep(100);
  const tookS = (performance.now() - startedAt) / 1_000;
  const after = await usedBy(sender);
  sender.kill('SIGKILL');
  const lags = await ask<number[]>(receiver, 'take');
  return { deliveries: lags.length, cpuS: after.cpuS - before.cpuS, seconds: tookS, lags };
}

async function measureBare(receiver: ChildProcess, port: number, caFile: string): Promise<Figures> {
  const args = [String(port), String(endpoints), String(total), caFile, database.href];
  const bare = fork(join(import.meta.dirname, 'bare-webhooks.ts'), args);
  const [figures] = (await once(bare, 'message')) as [Figures];
  await ask<number[]>(receiver, 'take');
  return figures;
}

await migrate(database.href);
const system = asSystem({ DATABASE_URL: database.href, POSTGRES_POOL_MAX: 2 });
const { folder } = makeReceiverCertificate();
const at = (name: string) => join(folder, name);
const receiver = fork(join(import.meta.dirname, 'webhook-receiver.ts'), [at('key.pem'), at('cert.pem')]);
try {
  const [port] = (await once(receiver, 'message')) as [number];
  const bare = await measureBare(receiver, port, at('ca.pem'));
  say(`bare: ${bare.deliveries} in ${round(bare.seconds)} s, ${round(bare.cpuS)} CPU s`);
  const { lags, ...ours } = await measureOurs(receiver, port, at('ca.pem'), system);
  const [p50, p99] = [percentile(lags, 0.5), percentile(lags, 0.99)];
  say(
    `ours: ${ours.deliveries} of ${total} in ${round(ours.seconds)} s, ${round(ours.cpuS)} CPU s; lag p50 ${p50} ms, p99 ${p99} ms`,
  );
  const ratio = round(ours.deliveries / ours.cpuS / (bare.deliveries / bare.cpuS));
  say(`figure webhooks.lagP99Ms ${p99}`);
  say(`ratio webhook-send ${ratio}`);
  const results = join(import.meta.dirname, 'results');
  mkdirSync(results, { recursive: true });
  const record = {
    endpoints,
    rate,
    seconds,
    bare,
    ours,
    lagP50Ms: p50,
    lagP99Ms: p99,
    ratio,
    cores: cpus().length,
    load: loadavg().map(round),
  };
  writeFileSync(join(results, 'webhooks.json'), `${JSON.stringify(record, null, 2)}\n`);
} finally {
  receiver.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  await system.close();
  await onServer(`drop database if exists "${database.pathname.slice(1)}" with (force)`);
}
