import { createClient } from 'redis';

export const REDIS_VERSION_MIN = 7;
const CONNECT_TIMEOUT_MS = 2_000;

/** The major version of a Redis or Valkey server, as Redis counts them. */
export async function redisVersion(url: string): Promise<number> {
  const info = String(await askRedis(url, ['INFO', 'server']));
  return Number(/^redis_version:(\d+)/m.exec(info)?.[1] ?? 0);
}

export async function askRedis(url: string, command: readonly string[]): Promise<unknown> {
  const client = createClient({
    url,
    RESP: 2,
    socket: { reconnectStrategy: false, connectTimeout: CONNECT_TIMEOUT_MS },
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await client.sendCommand([...command]);
  } finally {
    client.destroy();
  }
}
