export type Address = { readonly host: string; readonly port: number };

export type Credentials = {
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: string;
  readonly database?: number;
};

export type RedisTarget = {
  readonly isCluster: boolean;
  /** One address, or the nodes from which a cluster is discovered. */
  readonly addresses: readonly [Address, ...Address[]];
  readonly credentials: Credentials;
};

const PORT_DEFAULT = 6_379;

/** Reads `redis://`, `rediss://` and, for several hosts, redis+cluster://user:secret@h1:p1,h2:p2. */
export function parseRedisUrl(text: string): RedisTarget {
  const match = /^redis(s?)(\+cluster)?:\/\/(?:([^@]*)@)?([^/?#]+)(?:\/(\d*))?$/.exec(text);
  if (match === null) throw new Error('REDIS_URL is not a redis://, rediss:// or redis+cluster:// address.');
  const [, tls = '', cluster, userInfo, hosts = '', database = ''] = match;
  const [username = '', password = ''] = (userInfo ?? '').split(':', 2).map(decodeURIComponent);
  const [first, ...rest] = hosts.split(',').map(parseAddress);
  if (first === undefined) throw new Error('REDIS_URL names no host.');
  if (cluster === undefined && rest.length > 0)
    throw new Error('REDIS_URL names several hosts; write redis+cluster:// for a cluster.');
  return {
    isCluster: cluster !== undefined,
    addresses: [first, ...rest],
    credentials: {
      tls: tls === 's',
      ...(username !== '' && { username }),
      ...(password !== '' && { password }),
      ...(database !== '' && database !== '0' && { database: Number(database) }),
    },
  };
}

function parseAddress(text: string): Address {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text);
  if (match === null) throw new Error(`REDIS_URL: '${text}' is not host:port.`);
  const [, host = '', port] = match;
  return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? PORT_DEFAULT : Number(port) };
}

export const addressName = (address: Address): string => `${address.host}:${address.port}`;
