import { inertText } from '#domain/text/inert-text.ts';
import type { Log } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';
import { insertPulls, type Pull } from './pull-store.ts';

const WAITING_MAX = 10_000;
const FLUSH_MS = 2_000;
const AGENT_MAX = 200;

/** Records pulls of lists and TAXII pages in batches, after the answers. The newest 10,000 wait for PostgreSQL. */
export class PullLog {
  readonly #system: Pick<Postgres, 'transaction'>;
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;
  #waiting: Pull[] = [];

  constructor(system: Pick<Postgres, 'transaction'>, log: Log) {
    this.#system = system;
    this.#log = log;
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  note(pull: Pull): void {
    if (this.#waiting.length >= WAITING_MAX) this.#waiting.shift();
    this.#waiting.push({ ...pull, agent: inertText(pull.agent, AGENT_MAX) });
  }

  async flush(): Promise<void> {
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    try {
      await this.#system.transaction((tx) => insertPulls(tx, batch));
    } catch (error) {
      this.#waiting = [...batch, ...this.#waiting].slice(-WAITING_MAX);
      this.#log.warn({ err: error, waiting: this.#waiting.length }, 'pulls.not-written-yet');
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
