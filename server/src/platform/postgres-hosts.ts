import type { Duplex } from 'node:stream';
import pg from 'pg';
import { within } from './within.ts';

/** `hosts` of `postgres://user:password@host1:5432,host2:5432/database`; an ordinary string has no comma there. */
const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#,]+(?:,[^@/?#,]+)+)((?:[/?#].*)?)$/;
const HOSTS_MAX = 8;
const LOOK_MS = 2_000;
/** The shortest time between two rounds of questions, so that a failing host is not asked by every request. */
const PAUSE_MS = 1_000;
/** A connection that still works on a host that was left is closed after this time. */
const LEAVE_MS = 5_000;

/** The connection strings of the single servers in the order given: one for an ordinary connection string. */
export function singleHostUrls(url: string): readonly string[] {
  const [, before = '', hosts, after = ''] = SEVERAL.exec(url) ?? [];
  return hosts === undefined ? [url] : hosts.split(',').map((host) => `${before}${host}${after}`);
}

/** The parts that all hosts of a connection string share: user, password and database. */
export const sharedPartsOf = (url: string): URL => new URL(singleHostUrls(url)[0] ?? url);

/** True for a connection string of PostgreSQL, also one that names several hosts. */
export function isPostgresUrl(text: string): boolean {
  const urls = singleHostUrls(text);
  if (urls.length > HOSTS_MAX) return false;
  return urls.every((each) => /^postgres(?:ql)?:$/.test(URL.parse(each)?.protocol ?? ''));
}

type Host = { readonly host: string; readonly port: number; readonly url: string };
type Seen = Host & { readonly isWritable: boolean };

const hostOf = (url: string): Host => {
  const { host, port } = new pg.Client({ connectionString: url });
  return { host, port, url };
};

/** Asks one server whether it accepts writes: a standby and a server with default_transaction_read_only do not. */
async function lookAt(host: Host): Promise<Seen> {
  const client = new pg.Client({
    connectionString: host.url,
    application_name: 'assay_hosts',
    connectionTimeoutMillis: LOOK_MS,
    query_timeout: LOOK_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    await within(client.end(), LOOK_MS, undefined);
    return { ...host, isWritable: rows[0]?.transaction_read_only === 'off' };
  } finally {
    streamOf(client).destroy();
  }
}

/** The first server that accepts writes, else the first that answers. Throws what the first server failed with. */
async function lookAtAll(hosts: readonly Host[]): Promise<Seen> {
  const looks = hosts.map(lookAt);
  const writable = looks.map(async (look) => {
    const seen = await look;
    if (!seen.isWritable) throw new Error(`${seen.host} is read-only.`);
    return seen;
  });
  return Promise.any(writable).catch(async () => {
    const answers = await Promise.allSettled(looks);
    const readable = answers.find((answer) => answer.status === 'fulfilled');
    if (readable !== undefined) return readable.value;
    throw (answers[0] as PromiseRejectedResult).reason;
  });
}

/** A connection string of the one server that accepts writes. One with a single host is returned as it is. */
export async function writableUrl(url: string, database?: string): Promise<string> {
  const urls = singleHostUrls(url);
  if (urls.length === 1) return url;
  const asked = urls.map((each) => {
    const own = new URL(each);
    if (database !== undefined) own.pathname = `/${database}`;
    return { ...hostOf(own.href), given: each };
  });
  const seen = await lookAtAll(asked);
  if (!seen.isWritable) throw readOnly();
  return asked.find(({ url: own }) => own === seen.url)?.given ?? url;
}

/** SQLSTATE 25006, so that it is answered as a write that a server refused. */
const readOnly = (): Error =>
  Object.assign(new Error('None of the PostgreSQL hosts accepts writes.'), { code: '25006' });

/**
 * The server that the connections of one connection string go to: the one that accepts writes, and while there is none
 * a standby for reads. It is chosen again after a refused write and after a lost connection.
 */
class HostChoice {
  readonly #hosts: readonly Host[];
  readonly #listeners = new Set<() => void>();
  #seen: Seen | null = null;
  #failure: unknown = null;
  #round: Promise<void> | null = null;
  #isDoubted = true;
  #notBeforeMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(urls: readonly string[]) {
    this.#hosts = urls.map(hostOf);
  }

  get isUsed(): boolean {
    return this.#listeners.size > 0;
  }

  /** The host for a new connection. */
  async next({ needsWriting, waitMs }: ConnectionNeeds): Promise<Host> {
    if (this.#isDoubted) {
      this.doubt();
      await within(this.#round ?? Promise.resolve(), waitMs, undefined);
    }
    if (this.#seen === null)
      throw this.#failure ?? Object.assign(new Error('timeout expired'), { code: 'ETIMEDOUT' });
    if (needsWriting && !this.#seen.isWritable) throw readOnly();
    return this.#seen;
  }

  /** Asks all hosts again, now or after the pause. */
  doubt(): void {
    this.#isDoubted = true;
    if (this.#round !== null || this.#timer !== undefined) return;
    const pauseMs = this.#notBeforeMs - performance.now();
    if (pauseMs <= 0) this.#startRound();
    else this.#later(pauseMs);
  }

  isElsewhere({ host, port }: Pick<Host, 'host' | 'port'>): boolean {
    return this.#seen !== null && (this.#seen.host !== host || this.#seen.port !== port);
  }

  /** `onMove` is called when the connections have to go to another host. */
  follow(onMove: () => void): () => void {
    this.#listeners.add(onMove);
    return () => {
      this.#listeners.delete(onMove);
      if (this.isUsed) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  #startRound(): void {
    this.#round = lookAtAll(this.#hosts)
      .then(
        (seen) => this.#settle(seen),
        (error: unknown) => {
          this.#failure = error;
          this.#settle(null);
        },
      )
      .finally(() => {
        this.#round = null;
      });
  }

  #settle(seen: Seen | null): void {
    const isMove = seen !== null && this.isElsewhere(seen);
    this.#seen = seen;
    this.#isDoubted = seen === null;
    this.#notBeforeMs = performance.now() + PAUSE_MS;
    if (seen?.isWritable !== true) this.#later(PAUSE_MS);
    if (isMove) for (const onMove of this.#listeners) onMove();
  }

  #later(ms: number): void {
    if (this.#timer !== undefined || !this.isUsed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#round === null) this.#startRound();
    }, ms);
    this.#timer.unref();
  }
}

/** What a connection is for: with `needsWriting` it never goes to a standby. */
export type ConnectionNeeds = { readonly needsWriting: boolean; readonly waitMs: number };

/** One for each connection string, so that all pools of a process move together. */
const choices = new Map<string, HostChoice>();

function choiceOf(url: string): HostChoice | null {
  const urls = singleHostUrls(url);
  if (urls.length === 1) return null;
  const choice = choices.get(url) ?? new HostChoice(urls);
  choices.set(url, choice);
  return choice;
}

/** The class of connections to one of several hosts, and what moves them when another host is chosen. */
export type Hosts = {
  readonly Client: new (config?: pg.ClientConfig) => pg.Client;
  readonly watch: (pool: pg.Pool) => void;
  /** Call it for a failure of a statement: a host that is gone or became read-only is left. */
  readonly doubt: () => void;
  /** `onMove` is called when another host is chosen, until the returned function is called. */
  readonly follow: (onMove: () => void) => () => void;
  readonly close: () => void;
};

/** Null for a connection string with one host, whose connections are those of the driver. */
export function openHosts(url: string, needs: ConnectionNeeds): Hosts | null {
  const choice = choiceOf(url);
  if (choice === null) return null;
  const ends: (() => void)[] = [];
  const follow = (onMove: () => void): (() => void) => {
    const end = choice.follow(onMove);
    ends.push(end);
    return end;
  };
  return {
    Client: clientOf(choice, needs),
    watch: (pool) => void follow(movePool(pool, choice)),
    doubt: () => choice.doubt(),
    follow,
    close: () => {
      for (const end of ends) end();
      if (!choice.isUsed) choices.delete(url);
    },
  };
}

function clientOf(choice: HostChoice, needs: ConnectionNeeds): Hosts['Client'] {
  class HostClient extends pg.Client {
    async #connectToChosen(): Promise<pg.Client> {
      const { host, port } = await choice.next(needs);
      // A pool gives up a connection that takes too long by closing its socket.
      if (streamOf(this).destroyed) throw new Error('Connection terminated due to connection timeout');
      Object.assign(this, { host, port });
      try {
        await super.connect();
        return this;
      } catch (error) {
        choice.doubt();
        throw error;
      }
    }

    override connect(): Promise<pg.Client>;
    override connect(done: (error: Error | null) => void): void;
    override connect(done?: (error: Error | null) => void): Promise<pg.Client> | undefined {
      const connected = this.#connectToChosen();
      if (done === undefined) return connected;
      connected.then(() => done(null), done);
      return undefined;
    }
  }
  return HostClient;
}

/** Watches the connections of a pool, and closes those to another host when one was chosen. */
function movePool(pool: pg.Pool, choice: HostChoice): () => void {
  const open = new Set<pg.PoolClient>();
  const lent = new Set<pg.PoolClient>();
  pool.on('connect', (client) => {
    open.add(client);
    client.on('error', () => choice.doubt());
    onReadOnlyRefusal(client, () => choice.doubt());
  });
  pool.on('acquire', (client) => lent.add(client));
  pool.on('release', (_error, client) => {
    lent.delete(client);
    if (choice.isElsewhere(client as unknown as pg.Client)) void endOf(client);
  });
  pool.on('remove', (client) => {
    open.delete(client);
    lent.delete(client);
  });
  return () => {
    for (const client of open) {
      if (!choice.isElsewhere(client as unknown as pg.Client)) continue;
      const cut = () => open.has(client) && streamOf(client).destroy();
      if (lent.has(client)) setTimeout(cut, LEAVE_MS).unref();
      else cut();
    }
  };
}

const onReadOnlyRefusal = (client: pg.PoolClient, refused: () => void): void =>
  connectionOf(client).on('errorMessage', ({ code }) => {
    if (code === '25006') refused();
  });

/**
 * A connection that refused a write is not used again: a session may keep the setting with which it began after the server
 * accepts writes again.
 */
export function leaveReadOnlySessions(pool: pg.Pool): void {
  const refused = new WeakSet<pg.PoolClient>();
  pool.on('connect', (client) => onReadOnlyRefusal(client, () => refused.add(client)));
  pool.on('release', (_error, client) => {
    if (refused.has(client)) void endOf(client);
  });
}

/** `end` marks a connection at once, so that its pool does not keep it. */
const endOf = (client: pg.PoolClient): Promise<void> =>
  (client as unknown as pg.Client).end().catch(() => undefined);

type Internals = {
  readonly stream: Duplex;
  readonly on: (event: string, heard: (message: { readonly code?: string }) => void) => void;
};
const connectionOf = (client: pg.ClientBase): Internals =>
  (client as unknown as { readonly connection: Internals }).connection;
const streamOf = (client: pg.ClientBase): Duplex => connectionOf(client).stream;
