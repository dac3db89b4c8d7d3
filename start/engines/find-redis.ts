import { DEFAULT_REDIS } from '../connections.ts';
import { StartError } from '../start-error.ts';
import { reasonOf } from './find-postgres.ts';
import { REDIS_VERSION_MIN, redisVersion } from './redis-server.ts';

/** Finds Redis and checks that it can be used; false where the default server does not answer. */
export async function findRedis(given: string | undefined): Promise<boolean> {
  const url = given ?? DEFAULT_REDIS;
  // The nodes of a cluster are found by the service itself.
  if (!/^rediss?:/.test(url)) return true;
  const host = URL.parse(url)?.host ?? url;
  let version: number;
  try {
    version = await redisVersion(url);
  } catch (error) {
    const reason = reasonOf(error);
    if (/NOAUTH|WRONGPASS/.test(reason))
      throw new StartError(
        `Redis on ${host} ${reason.includes('NOAUTH') ? 'needs a password' : 'refuses the password'}. Set it: REDIS_URL=redis://:PASSWORD@${host} npm start`,
      );
    if (/NOPERM/.test(reason))
      throw new StartError(
        `The Redis user of REDIS_URL may not use the server on ${host} (${reason}). Give it the commands that deploy/redis/start.sh lists.`,
      );
    if (given === undefined) return false;
    throw new StartError(`Redis does not answer on ${host} (${reason}). Start it, or correct REDIS_URL.`);
  }
  if (version < REDIS_VERSION_MIN)
    throw new StartError(
      `Redis on ${host} is version ${version}; Assay needs 7 or newer, or Valkey. Install a newer one (https://redis.io/docs/latest/operate/oss_and_stack/install/), or name another server in REDIS_URL.`,
    );
  return true;
}
