import type { FastifyReply } from 'fastify';
import { METER_FUNCTIONS, METER_LIBRARY } from '../../server/src/capabilities/metering/meter-library.ts';
import { periodOf } from '../../server/src/domain/metering/period.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { loadConfig } from '../../server/src/platform/config.ts';
import { createLog } from '../../server/src/platform/log.ts';
import { connectRedis } from '../../server/src/platform/redis.ts';

export type BareFloor = {
  readonly port: number;
  readonly account: string;
  readonly burstLimit: number;
  readonly monthLimit: number;
  readonly headers: readonly (readonly [string, string])[];
};

const REQUEST_ID = 'req_01M7EHWJ5AN18TXX741EQ9KD51';

/**
 * The work that a bare server shares with ours: one call of the same Redis Function, the same headers, the same log
 * line.
 */
export async function openBareMeter(floor: BareFloor) {
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
  const pid = process.pid;
  return {
    config,
    clock,
    log,
    /** After its 50 ms timeout the call answers without a meter, as ours does from its local counters. */
    spend: (units: string): Promise<unknown> => {
      const argv = ['FCALL', METER_FUNCTIONS.meter, '2', burst, month, '0', String(floor.burstLimit), units];
      argv.push('checks', String(floor.monthLimit), String(period.startMs), String(period.endMs));
      argv.push(incarnation ?? '');
      return redis.command(month, argv).catch(() => [0, 0, 0, 0, 0]);
    },
    writeHeaders: (reply: FastifyReply, metered: unknown): void => {
      const [, remaining, resetMs, , granted] = metered as number[];
      for (const [name, value] of floor.headers) reply.header(name, value);
      reply.header('x-request-id', REQUEST_ID);
      reply.header('x-ratelimit-limit', String(floor.burstLimit));
      reply.header('x-ratelimit-remaining', String(remaining));
      reply.header('x-ratelimit-reset', String(resetMs));
      reply.header('x-ratelimit-type', 'burst');
      reply.header('x-ratelimit-plan', 'ENTERPRISE');
      reply.header('x-monthly-usage', String(granted));
      reply.header('x-monthly-limit', String(floor.monthLimit));
      reply.header('x-monthly-percentage', '0.1');
    },
    /** Written after the answer is sent, like Fastify's own logger, because it contains the time taken. */
    logAnswer: (method: string, route: string, reply: FastifyReply): void => {
      const ms = Math.round(reply.elapsedTime * 100) / 100;
      log.line(
        `{"level":30,"time":${clock.now()},"pid":${pid},"msg":"request","requestId":"${REQUEST_ID}","method":"${method}","route":"${route}","surface":"api","status":${reply.statusCode},"ms":${ms},"bytes":${Number(reply.getHeader('content-length') ?? 0)},"principal":"key_01M7EHT7WGKC3GZPNRWX5QRYJM","account":"usr_01M7EHT7TGG1AZFXFCHN19HHJ2","plan":"ENTERPRISE"}`,
      );
    },
  };
}

export function endWithParent(): void {
  process.send?.('listening');
  process.once('disconnect', () => process.exit(0));
  process.once('SIGINT', () => process.exit(0));
}
