import { createClient } from 'redis';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { counter, gauge } from '#platform/metrics.ts';
import { type Command, DeadlineQueue } from './deadline-queue.ts';
import { asRedisFailure, RedisAway } from './redis-away.ts';
import { type Address, addressName, type Credentials } from './redis-url.ts';

export type LinkOptions = {
  readonly address: Address;
  readonly credentials: Credentials;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Called each time the connection is ready for commands, including the first. */
  readonly onReady: (link: Link) => void;
  /** Retries after an error reply (a moved slot, a missing function), or returns null. */
  readonly recover: (link: Link, error: Error, command: Command) => Promise<unknown> | null;
};

const CONNECT_TIMEOUT_MS = 1_000;
const RECONNECT_MAX_MS = 1_000;
const PROBE_EVERY_MS = 1_000;
/** A silent connection is replaced after this time: TCP takes a quarter of an hour to notice a vanished peer. */
const REPLACE_AFTER_MS = 3_000;

const commands = counter({ name: 'redis_commands_total', help: 'Commands sent to Redis.' });
const failures = counter({
  name: 'redis_failures_total',
  help: 'Commands that Redis did not carry out in time.',
});
const breakers = gauge({
  name: 'redis_breaker_open',
  help: '1 while commands to this Redis process fail at once.',
  labels: ['address'],
});

type Client = ReturnType<typeof newClient>;

export class Link {
  readonly name: string;
  readonly address: Address;
  readonly #options: LinkOptions;
  readonly #log: Log;
  readonly #queue: DeadlineQueue;
  #client: Client;
  #isOpen = false;
  #isClosed = false;
  #probingSinceMs: number | null = null;
  #probeTimer: NodeJS.Timeout | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.address = options.address;
    this.name = addressName(options.address);
    this.#log = options.log.child({ redis: this.name });
    this.#queue = new DeadlineQueue({
      timeoutMs: options.timeoutMs,
      onExpired: () => this.#probe(),
      onFailed: (count) => failures.inc(count),
      recover: (error, command) => options.recover(this, error, command),
    });
    this.#client = this.#connect();
  }

  get isUp(): boolean {
    return !this.#isOpen && this.#client.isReady;
  }

  /** Fails with `RedisAway` within the deadline. `onLate` receives a later reply. */
  send(argv: string[], onLate?: (reply: unknown) => void): Promise<unknown> {
    if (this.#isOpen || !this.#client.isReady) {
      failures.inc();
      return Promise.reject(new RedisAway(`Redis ${this.name} is not connected.`));
    }
    commands.inc();
    return this.#queue.add({ argv, onLate }, this.#client.sendCommand(argv));
  }

  /** For rare slow commands (loading a library, reading the topology), with a separate deadline. */
  async sendSlowly(argv: string[], timeoutMs: number): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new RedisAway(`Redis ${this.name} is slow.`)), timeoutMs);
    });
    try {
      return await Promise.race([this.#client.sendCommand(argv), late]);
    } catch (error) {
      throw asRedisFailure(error);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#probeTimer);
    this.#queue.failAll(new RedisAway(`Redis ${this.name} is being closed.`));
    breakers.remove({ address: this.name });
    this.#client.destroy();
  }

  #connect(): Client {
    const client = newClient(this.#options);
    // The driver reconnects; without a listener the error event would end the process.
    client.on('error', (error: unknown) => this.#report(error));
    client.on('ready', () => {
      if (client !== this.#client || this.#isClosed) return;
      this.#setGauge();
      if (this.#isOpen) this.#probe();
      this.#options.onReady(this);
    });
    client.connect().catch((error: unknown) => this.#report(error));
    return client;
  }

  #report(error: unknown): void {
    if (this.#isClosed) return;
    this.#setGauge();
    this.#log.debug(
      { reason: error instanceof Error ? error.message : 'unknown' },
      'redis connection failed',
    );
  }

  #setGauge(): void {
    breakers.set({ address: this.name }, this.isUp ? 0 : 1);
  }

  /** After a timeout one probe decides: no reply opens the breaker, a reply closes it again. */
  #probe(): void {
    if (this.#probingSinceMs !== null || this.#isClosed) return;
    const asked = this.#client;
    this.#probingSinceMs = this.#options.clock.monotonic();
    clearTimeout(this.#probeTimer);
    const well = (): void => this.#probeAnswered(asked, true);
    const ping = asked.sendCommand(['PING']);
    this.#queue.add({ argv: ['PING'], onLate: well }, ping).then(well, () => this.#probeIsLate(asked));
    ping.catch(() => this.#probeAnswered(asked, false));
  }

  #probeAnswered(asked: Client, isWell: boolean): void {
    if (asked !== this.#client || this.#isClosed) return;
    this.#probingSinceMs = null;
    clearTimeout(this.#probeTimer);
    this.#setOpen(!isWell);
    if (!isWell) this.#probeTimer = setTimeout(() => this.#probe(), PROBE_EVERY_MS).unref();
  }

  #probeIsLate(asked: Client): void {
    if (asked !== this.#client || this.#isClosed || this.#probingSinceMs === null) return;
    this.#setOpen(true);
    if (this.#options.clock.monotonic() - this.#probingSinceMs < REPLACE_AFTER_MS) {
      this.#probeTimer = setTimeout(() => this.#probeIsLate(asked), PROBE_EVERY_MS).unref();
      return;
    }
    this.#probingSinceMs = null;
    this.#client = this.#connect();
    asked.destroy();
    this.#probeTimer = setTimeout(() => this.#probe(), PROBE_EVERY_MS).unref();
  }

  #setOpen(isOpen: boolean): void {
    if (isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    this.#setGauge();
    if (isOpen) this.#log.warn({}, 'redis breaker opened');
    else this.#log.info({}, 'redis breaker closed');
    if (isOpen) this.#queue.failAll(new RedisAway(`Redis ${this.name} does not answer.`));
  }
}

function newClient({ address, credentials }: LinkOptions) {
  return createClient({
    socket: {
      host: address.host,
      port: address.port,
      ...(credentials.tls && { tls: true as const }),
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (retries: number) =>
        Math.min(50 * 2 ** Math.min(retries, 5), RECONNECT_MAX_MS) + Math.floor(Math.random() * 50),
    },
    ...credentialsOf(credentials),
    name: 'assay',
    // Versions 2 and 3 cost the same here (measured); 2 needs no push handling, and every server supports it.
    RESP: 2,
    disableOfflineQueue: true,
    // The driver's timeout only covers the wait before a command is written, and costs an AbortSignal each.
    commandOptions: { timeout: 0 },
    maintNotifications: 'disabled',
  });
}

export const credentialsOf = (credentials: Credentials) => ({
  ...(credentials.username !== undefined && { username: credentials.username }),
  ...(credentials.password !== undefined && { password: credentials.password }),
  ...(credentials.database !== undefined && { database: credentials.database }),
});
