import { randomBytes } from 'node:crypto';
import { RISK_LEVELS } from '#domain/scoring/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Exchange } from '#platform/http/exchange.ts';
import type { MountedRoute } from '#platform/http/mounted-route.ts';
import type { ExchangeCount } from '#platform/http/observe.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { Log } from '#platform/log.ts';
import { counter } from '#platform/metrics.ts';
import type { Postgres } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { addCounts, type CountBatch, type CountRow } from './store.ts';

/** Counts of up to this time are lost if the process is killed. */
export const FLUSH_MS = 10_000;
/** One per caller and route, about 500 bytes each: 10,000 keys that use four routes between two flushes. */
const TALLIES_MAX = 40_000;
const BATCH_ROWS_MAX = 2_000;
const PENDING_ROWS_MAX = 200_000;

const CLASSES = 5;
/** The word '' counts requests, the levels count verdicts. */
const WORDS = ['', ...RISK_LEVELS] as const;
const WORD_NUMBERS: ReadonlyMap<string, number> = new Map(WORDS.map((word, at) => [word, at]));

const dropped = counter({
  name: 'usage_counts_dropped_total',
  help: 'Requests and verdicts that were not counted for their account, because too many counters wait to be written.',
});

export type RequestCountsDeps = {
  /** The system pool, because the counts of all accounts are written together. */
  readonly system: Pick<Postgres, 'db'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly flushMs?: number;
};

type CallerCounts = {
  readonly accountId: string;
  readonly callerId: string;
  /** By number of the route: a counter for each status class and word. */
  readonly tallies: Map<number, Float64Array>;
};
const COUNTERS = CLASSES * WORDS.length;

/**
 * Counts requests and verdicts of each account in memory, so that no request waits for an engine. Every ten seconds the
 * counts are added to PostgreSQL; each batch counts once, even if the reply to its write is lost.
 */
export class RequestCounts {
  readonly #deps: RequestCountsDeps;
  readonly #writerId = randomBytes(12).toString('hex');
  readonly #routes: string[] = [];
  readonly #routeNumbers = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #callers = new Map<string, CallerCounts>();
  #tallies = 0;
  #dayStartMs = 0;
  #dayEndMs = 0;
  #batches = 0;
  #pending: CountBatch[] = [];
  #flushing: Promise<void> | null = null;
  #isFailing = false;

  constructor(deps: RequestCountsDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => void this.flush(), deps.flushMs ?? FLUSH_MS).unref();
  }

  /** The counter of one route. An arrow function, because the transport calls it without `this`. */
  readonly countOf = (method: string, mounted: Pick<MountedRoute, 'template'>): ExchangeCount => {
    const route = this.#numberOf(`${method} ${mounted.template}`);
    return (exchange, status) => this.#count(exchange, route, status);
  };

  /** Writes what was counted. Never throws: what could not be written is tried again. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flushAll().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
    // A flush that was already running at the call above had not taken the newest counts.
    await this.flush();
  }

  #count({ principal, outcome, furtherOutcomes }: CountedExchange, route: number, status: number): void {
    if (principal === null || principal.accountId === '') return;
    const nowMs = this.#deps.clock.now();
    if (nowMs >= this.#dayEndMs || nowMs < this.#dayStartMs) this.#turnDay(nowMs);
    const tally = this.#tallyOf(this.#callerOf(principal), route);
    if (tally === null) {
      dropped.inc();
      return;
    }
    const statusClass = Math.min(CLASSES, Math.max(1, Math.floor(status / 100)));
    const first = (statusClass - 1) * WORDS.length;
    addTo(tally, first);
    if (outcome === null) return;
    addWord(tally, first, outcome);
    if (furtherOutcomes !== null) for (const word of furtherOutcomes) addWord(tally, first, word);
  }

  #tallyOf({ tallies }: CallerCounts, route: number): Float64Array | null {
    const known = tallies.get(route);
    if (known !== undefined) return known;
    if (this.#tallies >= TALLIES_MAX) return null;
    this.#tallies += 1;
    const tally = new Float64Array(COUNTERS);
    tallies.set(route, tally);
    return tally;
  }

  /** A session is counted under the id of its user, because ids of short-lived sessions mean nothing later. */
  #callerOf({ kind, id, userId, accountId }: Principal): CallerCounts {
    const callerId = kind === 'session' ? userId : id;
    let caller = this.#callers.get(callerId);
    if (caller?.accountId === accountId) return caller;
    // A user may have sessions in several accounts, so the key of any further account contains the account.
    const place = caller === undefined ? callerId : `${callerId} ${accountId}`;
    caller = this.#callers.get(place);
    if (caller === undefined) {
      caller = { accountId, callerId, tallies: new Map() };
      if (this.#tallies < TALLIES_MAX) this.#callers.set(place, caller);
    }
    return caller;
  }

  #numberOf(route: string): number {
    const known = this.#routeNumbers.get(route);
    if (known !== undefined) return known;
    this.#routeNumbers.set(route, this.#routes.length);
    return this.#routes.push(route) - 1;
  }

  #turnDay(nowMs: number): void {
    this.#seal();
    this.#dayStartMs = nowMs - (nowMs % DAY_MS);
    this.#dayEndMs = this.#dayStartMs + DAY_MS;
  }

  /** Turns the counters into numbered batches that no longer change. */
  #seal(): void {
    const rows = this.#rows();
    this.#callers = new Map();
    this.#tallies = 0;
    const waiting = this.#pending.reduce((sum, batch) => sum + batch.rows.length, 0);
    if (waiting + rows.length > PENDING_ROWS_MAX) {
      dropped.inc(rows.reduce((sum, row) => sum + row.counted, 0));
      return;
    }
    for (let from = 0; from < rows.length; from += BATCH_ROWS_MAX) {
      this.#batches += 1;
      this.#pending.push({ number: this.#batches, rows: rows.slice(from, from + BATCH_ROWS_MAX) });
    }
  }

  #rows(): CountRow[] {
    const day = new Date(this.#dayStartMs).toISOString().slice(0, 10);
    const rows: CountRow[] = [];
    for (const { accountId, callerId, tallies } of this.#callers.values())
      for (const [number, tally] of tallies) {
        const of = { accountId, callerId, day, route: this.#routes[number] ?? '' };
        for (const [at, counted] of tally.entries())
          if (counted > 0)
            rows.push({
              ...of,
              statusClass: Math.floor(at / WORDS.length) + 1,
              verdict: WORDS[at % WORDS.length] ?? '',
              counted,
            });
      }
    return rows;
  }

  /** Seals counters only when no batch waits: one at every flush while PostgreSQL is away would fill memory. */
  async #flushAll(): Promise<void> {
    if (!(await this.#writePending())) return;
    this.#seal();
    await this.#writePending();
  }

  async #writePending(): Promise<boolean> {
    for (let batch = this.#pending[0]; batch !== undefined; batch = this.#pending[0]) {
      try {
        await addCounts(this.#deps.system.db, this.#writerId, batch);
        this.#pending.shift();
        this.#isFailing = false;
      } catch (error) {
        if (!this.#isFailing)
          this.#deps.log.warn({ err: error, batches: this.#pending.length }, 'usage.counts.not-written-yet');
        this.#isFailing = true;
        return false;
      }
    }
    return true;
  }
}

function addTo(tally: Float64Array, at: number): void {
  tally[at] = (tally[at] ?? 0) + 1;
}

/** Ignores a word that is no level. */
function addWord(tally: Float64Array, first: number, word: string): void {
  const number = WORD_NUMBERS.get(word);
  if (number !== undefined) addTo(tally, first + number);
}

type CountedExchange = Pick<Exchange, 'principal' | 'outcome' | 'furtherOutcomes'>;
