import { METER_FUNCTIONS, METER_LIBRARY } from '../server/src/capabilities/metering/meter-library.ts';
import { periodOf } from '../server/src/domain/metering/period.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { createLog } from '../server/src/platform/log.ts';
import { connectRedis } from '../server/src/platform/redis.ts';
import { startRedisServer } from '../server/test/support/redis-server.ts';

/**
 * npm run bench:meter
 * The cost of one meter decision beside a bare GET through the same connection, 64 in flight, on a Redis of its own.
 * CPU per operation is the stable figure; operations per second depend on the machine's other load.
 */
const IN_FLIGHT = 64;
const OPERATIONS = 60_000;
const ROUNDS = 5;

const server = await startRedisServer();
const clock = systemClock();
const redis = await connectRedis({
  config: { REDIS_URL: server.url, REDIS_TIMEOUT_MS: 2_000 },
  log: createLog('warn'),
  clock,
});
await redis.loadLibrary(METER_LIBRARY);

const period = periodOf(clock.now());
const [burst, month] = ['bench:{org_1}:b:key_1', 'bench:{org_1}:u:month'];
await redis.command(burst, ['SET', 'bench:{org_1}:value', 'x'.repeat(32)]);
await redis.callFunction(
  METER_FUNCTIONS.settle,
  [month],
  ['one', '0', '0', '0', '0', 'bench', '0', '0', '0', '600000'],
);
const limits = [
  '0',
  '1000000000',
  '1',
  'checks',
  '1000000000',
  String(period.startMs),
  String(period.endMs),
  'one',
];
const forms: Readonly<Record<string, string[]>> = {
  get: ['GET', 'bench:{org_1}:value'],
  'meter-fcall': ['FCALL', METER_FUNCTIONS.meter, '2', burst, month, ...limits],
  'burst-fcall': ['FCALL', METER_FUNCTIONS.meter, '1', burst, '0', '1000000000', '0'],
};

type Cost = { readonly perSecond: number; readonly clientUs: number; readonly redisUs: number };

async function redisCpuUs(): Promise<number> {
  const info = String(await redis.command(burst, ['INFO', 'cpu']));
  const seconds = (name: string) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1] ?? 0);
  return (seconds('used_cpu_user_main_thread') + seconds('used_cpu_sys_main_thread')) * 1e6;
}

async function measure(argv: string[]): Promise<Cost> {
  const [redisBefore, clientBefore, startedMs] = [await redisCpuUs(), process.cpuUsage(), performance.now()];
  let left = OPERATIONS;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      await redis.command(burst, argv);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, client));
  const seconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(clientBefore);
  return {
    perSecond: OPERATIONS / seconds,
    clientUs: (user + system) / OPERATIONS,
    redisUs: ((await redisCpuUs()) - redisBefore) / OPERATIONS,
  };
}

const best = new Map<string, Cost>();
for (let round = 0; round < ROUNDS; round += 1)
  for (const [name, argv] of Object.entries(forms)) {
    const cost = await measure(argv);
    const before = best.get(name);
    if (before === undefined || cost.perSecond > before.perSecond) best.set(name, cost);
  }
for (const [name, cost] of best)
  process.stdout.write(
    `${name.padEnd(12)} ${Math.round(cost.perSecond / 1_000)} k/s, client ${cost.clientUs.toFixed(2)} us, Redis ${cost.redisUs.toFixed(2)} us\n`,
  );
const ratio = (best.get('meter-fcall')?.perSecond ?? 0) / (best.get('get')?.perSecond ?? 1);
process.stdout.write(`ratio meter-fcall ${ratio.toFixed(3)}\n`);
redis.close();
await server.stop();
