import { keySlot } from '#platform/redis/key-slot.ts';
import { eventually, freePort } from './eventually.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';

export type RedisCluster = {
  readonly url: string;
  readonly masters: readonly RedisServer[];
  readonly masterOf: (key: string) => RedisServer;
  readonly stop: () => Promise<void>;
};

const SLOTS = 16_384;

/** Three masters without replicas: the keys of a lost master are unavailable until it is back. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const settings = [
    '--cluster-enabled',
    'yes',
    '--cluster-config-file',
    'nodes.conf',
    // The loss of one master must not stop the others.
    '--cluster-require-full-coverage',
    'no',
    '--cluster-node-timeout',
    '2000',
  ];
  // The default bus port is 10,000 higher, which exceeds 65,535 for many test ports.
  const busPorts = [await freePort(), await freePort(), await freePort()];
  const masters = await Promise.all(
    busPorts.map((port) => startRedisServer(...settings, '--cluster-port', String(port))),
  );
  const ends = masters.map((_, index) => Math.floor((SLOTS * (index + 1)) / masters.length));
  await Promise.all(
    masters.map((master, index) =>
      master.run(
        'CLUSTER',
        'ADDSLOTSRANGE',
        String(ends[index - 1] ?? 0),
        String((ends[index] ?? SLOTS) - 1),
      ),
    ),
  );
  const [first, ...others] = masters;
  for (const [index, other] of others.entries())
    await first?.run('CLUSTER', 'MEET', '127.0.0.1', String(other.port), String(busPorts[index + 1]));
  await eventually('the cluster is whole', 20_000, async () => {
    const infos = await Promise.all(masters.map((master) => master.run('CLUSTER', 'INFO')));
    return infos.every(
      (info) => String(info).includes('cluster_state:ok') && String(info).includes('cluster_known_nodes:3'),
    );
  });
  return {
    url: `redis+cluster://${masters.map((master) => `127.0.0.1:${master.port}`).join(',')}`,
    masters,
    masterOf: (key) => {
      const slot = keySlot(key);
      const master = masters[ends.findIndex((end) => slot < end)];
      if (master === undefined) throw new Error(`no master for slot ${slot}`);
      return master;
    },
    stop: async () => {
      await Promise.all(masters.map((master) => master.stop()));
    },
  };
}
