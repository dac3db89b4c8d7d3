import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { createRelay } from '#platform/events.ts';
import { createLog } from '#platform/log.ts';
import { asSystem } from '#platform/postgres.ts';
import { connectRedis } from '#platform/redis.ts';

/** A relay process for tests to kill and to suspend. */
const config = loadConfig(process.env);
const log = createLog('silent');
const redis = await connectRedis({ config, log, clock: systemClock() });
createRelay({ postgres: asSystem(config), redis, prefix: config.REDIS_PREFIX, log });
