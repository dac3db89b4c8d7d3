import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Log } from './log.ts';
import { type BlockingRedis, blockingRedis } from './redis/blocking.ts';
import type { Command } from './redis/deadline-queue.ts';
import { warnOfEviction } from './redis/eviction.ts';
import { FunctionLibraries } from './redis/function-libraries.ts';
import { Link } from './redis/link.ts';
import { RedisAway } from './redis/redis-away.ts';
import { type Address, parseRedisUrl } from './redis/redis-url.ts';
import { ClusterTopology, singleTopology, type Topology } from './redis/topology.ts';

export type { BlockingRedis } from './redis/blocking.ts';
export { RedisAway } from './redis/redis-away.ts';

/** One server or a cluster. Every call ends within its deadline; an unreachable Redis raises `RedisAway`. */
export type Redis = {
  /** Sends one command to the server of `key`. `onLate` receives a reply that came after the deadline. */
  readonly command: (key: string, argv: string[], onLate?: (reply: unknown) => void) => Promise<unknown>;
  /** All keys must carry the same hash tag. A library that a restarted server lost is loaded again. */
  readonly callFunction: (
    name: string,
    keys: readonly [string, ...string[]],
    args: readonly string[],
  ) => Promise<unknown>;
  readonly loadLibrary: (code: string) => Promise<void>;
  readonly duplicateBlocking: (key: string) => BlockingRedis;
  /** Names the server that holds the counters of `key`: keys of one group are lost and found together. */
  readonly groupOf: (key: string) => string;
  readonly status: () => RedisStatus;
  readonly close: () => void;
};

export type RedisStatus = {
  readonly isUp: boolean;
  readonly servers: readonly { readonly address: string; readonly isUp: boolean }[];
};

export type RedisDeps = {
  readonly config: Pick<Config, 'REDIS_URL' | 'REDIS_TIMEOUT_MS'>;
  readonly log: Log;
  readonly clock: Clock;
};

/** The longest wait for Redis at start, which can continue without it. */
const FIRST_CONNECT_MS = 1_000;
const RECOVER_TIMEOUT_MS = 500;
const NO_GROUP = 'unserved';

export async function connectRedis(deps: RedisDeps): Promise<Redis> {
  const { isCluster, addresses, credentials } = parseRedisUrl(deps.config.REDIS_URL);
  const libraries = new FunctionLibraries(deps.log);
  const whole = Promise.withResolvers<void>();
  const open = (address: Address): Link =>
    new Link({
      address,
      credentials,
      timeoutMs: deps.config.REDIS_TIMEOUT_MS,
      clock: deps.clock,
      log: deps.log,
      onReady: (link) => void ready(link),
      recover: (link, error, command) => recover(topology, libraries, link, error, command),
    });
  const topology: Topology = isCluster
    ? new ClusterTopology(addresses, open, deps.log)
    : singleTopology(open(addresses[0]));

  async function ready(link: Link): Promise<void> {
    topology.onReady(link);
    await Promise.all([libraries.loadOn(link), topology.refresh()]);
    if (topology.isWhole()) whole.resolve();
    await warnOfEviction(link, deps.log);
  }

  const timer = setTimeout(() => whole.resolve(), FIRST_CONNECT_MS);
  await whole.promise;
  clearTimeout(timer);
  return createRedis(topology, libraries, (key) =>
    blockingRedis(() => topology.linkOf(key)?.address ?? null, credentials),
  );
}

function createRedis(
  topology: Topology,
  libraries: FunctionLibraries,
  duplicateBlocking: Redis['duplicateBlocking'],
): Redis {
  const command: Redis['command'] = (key, argv, onLate) => {
    const link = topology.linkOf(key);
    if (link === null) return Promise.reject(new RedisAway('No Redis serves this key right now.'));
    return link.send(argv, onLate);
  };
  return {
    command,
    callFunction: (name, keys, args) =>
      command(keys[0], ['FCALL', name, String(keys.length), ...keys, ...args]),
    loadLibrary: (code) => libraries.add(code, topology.links()),
    duplicateBlocking,
    groupOf: (key) => topology.linkOf(key)?.name ?? NO_GROUP,
    status: () => ({
      isUp: topology.isWhole(),
      servers: topology.links().map((link) => ({ address: link.name, isUp: link.isUp })),
    }),
    close: () => topology.close(),
  };
}

/** One more try each for a moved slot, a migrating slot, and a server that lost our functions. */
function recover(
  topology: Topology,
  libraries: FunctionLibraries,
  link: Link,
  error: Error,
  { argv }: Command,
): Promise<unknown> | null {
  if (/Function not found/i.test(error.message))
    return libraries.loadOn(link).then(() => link.sendSlowly(argv, RECOVER_TIMEOUT_MS));
  const redirect = /^(MOVED|ASK) \d+ (.*):(\d+)$/.exec(error.message);
  if (redirect === null) return null;
  const [, word, host = '', port] = redirect;
  const target = topology.linkTo({ host: host === '' ? link.address.host : host, port: Number(port) });
  if (word === 'MOVED') return topology.refresh().then(() => target.sendSlowly(argv, RECOVER_TIMEOUT_MS));
  // The two commands must arrive together: no other command can come between those sent in one turn of the loop.
  return Promise.all([
    target.sendSlowly(['ASKING'], RECOVER_TIMEOUT_MS),
    target.sendSlowly(argv, RECOVER_TIMEOUT_MS),
  ]).then(([, reply]) => reply);
}
