import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../server/src/platform/clock.ts';
import { loadConfig } from '../server/src/platform/config.ts';
import { createRelay } from '../server/src/platform/events.ts';
import { createLog } from '../server/src/platform/log.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { asSystem } from '../server/src/platform/postgres.ts';
import { connectRedis } from '../server/src/platform/redis.ts';
import { databaseUrl, dropDatabase } from '../server/test/support/database.ts';
import { emitSteadily, threatEvent } from '../server/test/support/emit-threats.ts';
import { eventually, sleep } from '../server/test/support/eventually.ts';
import { cpuSecondsOf, startService } from '../server/test/support/service.ts';
import { openAccounts } from '../server/test/support/service-accounts.ts';
import { type StreamReaders, startStreamReaders } from '../server/test/support/stream-readers.ts';

/**
 * npm run bench:stream -- [--seconds 10] [--rounds 3] [--readers 1000] [--rate 20]
 * Deliveries for each CPU second of the process that serves GET /stream, beside a bare Node server that writes the same
 * bytes to as many readers; in turns. Relay, PostgreSQL and readers are other processes on both sides. The service writes
 * events that arrive together in one piece, which a busy machine makes larger; the bare server joins as many events to a
 * piece as the service did in the round before.
 */
const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    readers: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '20' },
  },
});
const [seconds, rounds, readers, rate] = [flags.seconds, flags.rounds, flags.readers, flags.rate].map(
  Number,
) as [number, number, number, number];
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

type Measured = { readonly perCpuSecond: number; readonly eventsPerPiece: number };

/** Deliveries for each CPU second of `pid` while `work` sends its events. */
async function measure(pid: number, streams: StreamReaders, work: () => Promise<unknown>): Promise<Measured> {
  const due = rate * seconds * readers;
  await streams.report();
  const before = cpuSecondsOf(pid);
  await work();
  let [arrived, pieces] = [0, 0];
  await eventually('all events arrive', 120_000, async () => {
    const report = await streams.report();
    arrived += report.events;
    pieces += report.pieces;
    if (arrived < due) await sleep(200);
    return arrived >= due;
  });
  return { perCpuSecond: due / (cpuSecondsOf(pid) - before), eventsPerPiece: arrived / pieces };
}

/** The bytes that the service sends for such an event, with a place for its time. */
function eventText(): string {
  const { payload } = threatEvent(1);
  const data = { id: '100001', occurredAt: 'STAMP', ...(payload as object) };
  return `id: 100001\ndata: ${JSON.stringify({ type: 'threat.new', data })}\n\n`;
}

const database = `assay_bench_stream_${randomBytes(6).toString('hex')}`;
try {
  await migrate(databaseUrl(database));
  const service = await startService({ databaseUrl: databaseUrl(database) });
  const accounts = openAccounts(service);
  const config = loadConfig(service.env);
  const log = createLog('silent');
  const system = asSystem({ ...config, POSTGRES_POOL_MAX: 3 });
  const redis = await connectRedis({ config, log, clock: systemClock() });
  const relay = createRelay({ postgres: system, redis, prefix: config.REDIS_PREFIX, log });
  const bare = fork(join(import.meta.dirname, 'bare-stream.ts'), { execArgv: [] });
  try {
    const [port] = (await once(bare, 'message')) as [number];
    const limits = { streams: readers, burstPerMinute: 1_000_000 };
    const { credential } = await accounts.newAccount('bench@example.com', { plan: 'ENTERPRISE', limits });
    const [ours, floor] = await Promise.all([
      startStreamReaders({ url: service.url, path: '/stream', credential, readers }),
      startStreamReaders({ url: `http://127.0.0.1:${port}`, path: '/', credential, readers }),
    ]);
    const [pid = 0] = service.listenerPids();
    const seen = { ours: [] as number[], bare: [] as number[], eventsPerPiece: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      const mine = await measure(pid, ours, () => emitSteadily(accounts.system, rate, seconds));
      const run = { text: eventText(), perSecond: rate, seconds, perPiece: Math.round(mine.eventsPerPiece) };
      const theirs = await measure(bare.pid ?? 0, floor, () => {
        bare.send(run);
        return once(bare, 'message');
      });
      seen.ours.push(mine.perCpuSecond);
      seen.bare.push(theirs.perCpuSecond);
      seen.eventsPerPiece.push(mine.eventsPerPiece);
    }
    const pairs = seen.ours.map((mine, i) => mine / (seen.bare[i] ?? Number.NaN));
    say(
      `figure stream-deliveries-cpu-s ${median(seen.ours).toFixed(0)} beside bare Node ${median(seen.bare).toFixed(0)}`,
    );
    say(`figure stream-events-per-piece ${median(seen.eventsPerPiece).toFixed(2)}`);
    say(`ratio stream-fanout ${median(pairs).toFixed(2)}`);
    mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
    writeFileSync(
      join(import.meta.dirname, 'results/stream.json'),
      `${JSON.stringify({ cpu: cpus()[0]?.model, cores: cpus().length, readers, rate, ...seen }, null, 2)}\n`,
    );
    await Promise.all([ours.stop(), floor.stop()]);
  } finally {
    bare.disconnect();
    await relay.stop();
    redis.close();
    await system.close();
    await accounts.close();
    await service.stop();
  }
} finally {
  await dropDatabase(database);
}
