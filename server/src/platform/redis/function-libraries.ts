import type { Log } from '#platform/log.ts';
import type { Link } from './link.ts';

const LOAD_TIMEOUT_MS = 1_000;

export class FunctionLibraries {
  readonly #codes: string[] = [];
  readonly #loading = new Map<Link, Promise<void>>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  async add(code: string, links: readonly Link[]): Promise<void> {
    this.#codes.push(code);
    await Promise.all(links.filter((link) => link.isUp).map((link) => this.loadOn(link)));
  }

  /** Loads every library on one server. Concurrent calls share one load; a failure is logged and retried later. */
  loadOn(link: Link): Promise<void> {
    const loading = this.#loading.get(link);
    if (loading !== undefined) return loading;
    const load = this.#loadAll(link).finally(() => this.#loading.delete(link));
    this.#loading.set(link, load);
    return load;
  }

  async #loadAll(link: Link): Promise<void> {
    try {
      for (const code of this.#codes)
        await link.sendSlowly(['FUNCTION', 'LOAD', 'REPLACE', code], LOAD_TIMEOUT_MS);
    } catch (error) {
      this.#log.warn(
        { redis: link.name, reason: error instanceof Error ? error.message : 'unknown' },
        'redis function library not loaded',
      );
    }
  }
}
