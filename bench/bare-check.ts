import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { METER_FUNCTIONS, METER_LIBRARY } from '../server/src/capabilities/metering/meter-library.ts';
import { periodOf } from '../server/src/domain/metering/period.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { loadConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { connectRedis } from '../server/src/platform/redis.ts';

/**
 * The floor of `npm run bench:check`: Fastify, one call of the same Redis Function with the same arguments, the same
 * headers, the same body (an object through JSON.stringify, as any Fastify handler would send it), the same log line.
 * No credential is read, nothing is validated, looked up or judged. Started by check.ts, not by hand.
 */
type Floor = {
  readonly port: number;
  readonly account: string;
  readonly burstLimit: number;
  readonly monthLimit: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly bodies: Readonly<Record<string, object>>;
};
const floor = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Floor;
const config = loadConfig();
const clock = systemClock();
const log = createLog(config.LOG_LEVEL);
const redis = await connectRedis({ config, log, clock });
await redis.loadLibrary(METER_LIBRARY);

const period = periodOf(clock.now());
const month = `${config.REDIS_PREFIX}:{${floor.account}}:u:${period.name}`;
const burst = `${config.REDIS_PREFIX}:{${floor.account}}:b:bare`;
const settled = ['bare', '0', '0', '0', '0', 'bare', '0', '0', '0', '86400000'];
const [incarnation] = (await redis.callFunction(METER_FUNCTIONS.settle, [month], settled)) as string[];
const logs = config.LOG_LEVEL === 'info';
const pid = process.pid;

const app = Fastify({ logger: false });
// The line says how long the answer took, so it is written when the answer is out, as Fastify's own logger does.
if (logs)
  app.addHook('onResponse', (_request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 100) / 100;
    log.line(
      `{"level":30,"time":${clock.now()},"pid":${pid},"msg":"request","requestId":"req_01M7EHWJ5AN18TXX741EQ9KD51","method":"GET","route":"/check","surface":"api","status":${reply.statusCode},"ms":${ms},"bytes":${Number(reply.getHeader('content-length') ?? 0)},"principal":"key_01M7EHT7WGKC3GZPNRWX5QRYJM","account":"usr_01M7EHT7TGG1AZFXFCHN19HHJ2","plan":"ENTERPRISE"}`,
    );
    done();
  });
app.get('/check', (request, reply) => {
  const argv = [
    'FCALL',
    METER_FUNCTIONS.meter,
    '2',
    burst,
    month,
    '0',
    String(floor.burstLimit),
    '1',
    'checks',
  ];
  argv.push(String(floor.monthLimit), String(period.startMs), String(period.endMs), incarnation ?? '');
  const answer = (metered: unknown): void => {
    const [, remaining, resetMs, , granted] = metered as number[];
    for (const [name, value] of floor.headers) reply.header(name, value);
    reply.header('x-request-id', 'req_01M7EHWJ5AN18TXX741EQ9KD51');
    reply.header('x-ratelimit-limit', String(floor.burstLimit));
    reply.header('x-ratelimit-remaining', String(remaining));
    reply.header('x-ratelimit-reset', String(resetMs));
    reply.header('x-ratelimit-type', 'burst');
    reply.header('x-ratelimit-plan', 'ENTERPRISE');
    reply.header('x-monthly-usage', String(granted));
    reply.header('x-monthly-limit', String(floor.monthLimit));
    reply.header('x-monthly-percentage', '0.1');
    reply.send(floor.bodies[request.url]);
  };
  // A call past its 50 ms answers without a meter, as ours does from its local counters.
  redis.command(month, argv).then(answer, () => answer([0, 0, 0, 0, 0]));
});
await app.listen({ host: '127.0.0.1', port: floor.port });
process.send?.('listening');
process.once('disconnect', () => process.exit(0));
process.once('SIGINT', () => process.exit(0));
