import { parseArgs } from 'node:util';
import { openLetters } from '#capabilities/letters/index.ts';
import { nothingWatched, webhooksWorkerPart } from '#capabilities/webhooks/index.ts';
import { startSender } from '#capabilities/webhooks/sender.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { createRelay, readDurably } from '#platform/events.ts';
import { createLog } from '#platform/log.ts';
import { createOutbound } from '#platform/outbound.ts';
import { asSystem } from '#platform/postgres.ts';
import { connectRedis } from '#platform/redis.ts';
import { createSecrets } from '#platform/secrets.ts';
import { webhookReach } from '../../src/app/webhook-reach.ts';

/**
 * The part of a worker that sends webhooks, for a test to kill: the relay that numbers events, the reader and the sender.
 * `--retry 100,200` sets other pauses before retries, because a test cannot wait for days.
 */
const { values } = parseArgs({ options: { retry: { type: 'string' } } });
const config = loadConfig(process.env);
const clock = systemClock();
const log = createLog(config.LOG_LEVEL);
const redis = await connectRedis({ config, log, clock });
const postgres = asSystem({ ...config, POSTGRES_POOL_MAX: 8 });
createRelay({ postgres, redis, prefix: config.REDIS_PREFIX, log });
const deps = {
  clock,
  letters: openLetters({ config, clock }),
  secrets: createSecrets(config.SECRET_KEY),
  outbound: createOutbound({ log, clock, connectionsPerOrigin: 64, ...webhookReach(config) }),
  watchersOf: nothingWatched,
};
for (const spec of webhooksWorkerPart(deps).readers)
  readDurably({ postgres, log }, { ...spec, from: 'start' });
const retryMs = values.retry?.split(',').map(Number);
startSender({ ...deps, postgres, log, ...(retryMs !== undefined && { retryMs }) });
process.on('message', () => process.send?.({ cpu: process.cpuUsage(), rss: process.memoryUsage().rss }));
process.send?.('ready');
