import { createClient } from 'redis';
import { credentialsOf } from './link.ts';
import { asRedisFailure, RedisAway } from './redis-away.ts';
import { type Address, addressName, type Credentials } from './redis-url.ts';

/** A separate connection for commands that wait (XREAD BLOCK), which would delay all others. */
export type BlockingRedis = {
  /** Fails with `RedisAway` after `timeoutMs`, which must be longer than the command's own wait. */
  readonly command: (argv: string[], timeoutMs: number) => Promise<unknown>;
  readonly close: () => void;
};

const CONNECT_TIMEOUT_MS = 1_000;

/** Connects on first use to the current server of the key; a failure drops the connection. */
export function blockingRedis(addressOf: () => Address | null, credentials: Credentials): BlockingRedis {
  let client: ReturnType<typeof newClient> | null = null;
  let connectedTo = '';
  let isClosed = false;

  const drop = (): void => {
    client?.destroy();
    client = null;
  };

  async function connected(): Promise<NonNullable<typeof client>> {
    const address = addressOf();
    if (isClosed || address === null) throw new RedisAway('No Redis serves this key right now.');
    if (client !== null && connectedTo === addressName(address)) return client;
    drop();
    const created = newClient(address, credentials);
    created.on('error', () => undefined);
    client = created;
    connectedTo = addressName(address);
    await created.connect();
    return created;
  }

  return {
    command: async (argv, timeoutMs) => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new RedisAway('Redis did not answer in time.')), timeoutMs);
      });
      const reply = connected().then((ready) => ready.sendCommand(argv));
      try {
        return await Promise.race([reply, late]);
      } catch (error) {
        reply.catch(() => undefined);
        drop();
        throw asRedisFailure(error);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => {
      isClosed = true;
      drop();
    },
  };
}

function newClient(address: Address, credentials: Credentials) {
  return createClient({
    socket: {
      host: address.host,
      port: address.port,
      ...(credentials.tls && { tls: true as const }),
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: false,
    },
    ...credentialsOf(credentials),
    name: 'assay_blocking',
    RESP: 2,
    disableOfflineQueue: true,
    commandOptions: { timeout: 0 },
    maintNotifications: 'disabled',
  });
}
