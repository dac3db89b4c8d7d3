import type { Clock } from '#platform/clock.ts';
import { unavailable } from '#platform/errors.ts';
import { counter } from '#platform/metrics.ts';

/**
 * Who asks for a hash. `proven`: a known device, an open session or a link from a reset email. `open`: anybody else who signs
 * in. `registration`: a new password of a person who has no account yet. Each waits for those before it in this list.
 */
export const LANES = ['proven', 'open', 'registration'] as const;
export type Lane = (typeof LANES)[number];

/** The place of a request in the queue. */
export type Turn = {
  readonly lane: Lane;
  /** The person of a proven request, else the network. Groups of a lane take turns. */
  readonly group: string;
  /** Ends the wait of a request that has ended; work that has begun is finished. */
  readonly signal: AbortSignal;
};

export type HashQueue = {
  readonly run: <T>(turn: Turn, work: () => Promise<T>) => Promise<T>;
  /**
   * Runs work whose result nobody needs, such as the hash for an email address without an account. It waits like any other,
   * but never keeps one waiting: when its turn comes while real work waits, it ends together with the work that starts then.
   */
  readonly runDecoy: (turn: Turn, work: () => Promise<unknown>) => Promise<void>;
};

export const AT_ONCE_MAX = 2;
export const WAITING_MAX = 20;
/** Known people have places of their own: 100 hashes take 2.5 s on two cores. */
export const PROVEN_WAITING_MAX = 100;
const BUSY_RETRY_AFTER_S = 2;
/** How long tries are remembered at least; twice as long at most. */
const TRIES_KEPT_MS = 10 * 60_000;
/** Groups whose tries are remembered, twice: about 1 MB. Beyond it earlier ones are forgotten sooner. */
const GROUPS_MAX = 4_096;

const hashes = counter({
  name: 'password_hashes_total',
  help: 'Password hashes by lane: started, refused because the queue was full, or given up by the caller.',
  labels: ['lane', 'outcome'],
});
const waitedFor = counter({
  name: 'password_hashes_waited_for_total',
  help: 'Hashes that started while another one waited, by the lane of the one that waited.',
  labels: ['lane'],
});

type Waiting = {
  readonly turn: Turn;
  readonly isDecoy: boolean;
  /** Starts the work, or for a decoy waits for the work given. */
  readonly start: (beside: Promise<unknown> | null) => Promise<unknown>;
  readonly refuse: () => void;
};

/**
 * Work for a few threads, in a fair order (docs/decisions/0022): by lane, then one place per group in turn, the group with the
 * fewest recent tries first. A full queue refuses its last place, which may be that of an earlier request.
 */
export function createHashQueue(clock: Pick<Clock, 'monotonic'>): HashQueue {
  const queue = new FairQueue(clock);
  return {
    run: async (turn, work) => queue.add(turn, false, work),
    runDecoy: async (turn, work) => {
      await queue.add(turn, true, (beside) => (beside === null ? work() : beside));
    },
  };
}

class FairQueue {
  readonly #waiting = new Set<Waiting>();
  readonly #tries: RecentTries;
  #running = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#tries = new RecentTries(clock);
  }

  add<T>(
    turn: Turn,
    isDecoy: boolean,
    work: (beside: Promise<unknown> | null) => Promise<unknown>,
  ): Promise<T> {
    turn.signal.throwIfAborted();
    return new Promise<T>((resolve, reject) => {
      const place: Waiting = {
        turn,
        isDecoy,
        start: (beside) => {
          leave();
          const done = work(beside);
          done.then(resolve as (value: unknown) => void, reject);
          return done;
        },
        refuse: () => {
          leave();
          hashes.inc({ lane: turn.lane, outcome: 'refused' });
          reject(busy());
        },
      };
      const giveUp = (): void => {
        leave();
        hashes.inc({ lane: turn.lane, outcome: 'ended' });
        reject(turn.signal.reason);
      };
      const leave = (): void => {
        this.#waiting.delete(place);
        turn.signal.removeEventListener('abort', giveUp);
      };
      this.#tries.add(keyOf(turn));
      this.#waiting.add(place);
      if (this.#running < AT_ONCE_MAX) this.#startNext();
      else {
        turn.signal.addEventListener('abort', giveUp);
        this.#refuseLast(turn.lane === 'proven');
      }
    });
  }

  /** Starts the first place. Decoys before the first real work start with it and need no thread. */
  #startNext(): void {
    const beside: Waiting[] = [];
    let first = this.#first();
    while (first?.isDecoy === true && this.#hasRealWork()) {
      this.#note(first);
      this.#waiting.delete(first);
      beside.push(first);
      first = this.#first();
    }
    if (first === undefined) return;
    this.#note(first);
    this.#running += 1;
    const work = first.start(null);
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    for (const decoy of beside) void decoy.start(settled);
    void settled.then(() => {
      this.#running -= 1;
      this.#startNext();
    });
  }

  #first(): Waiting | undefined {
    return this.#inOrder()[0];
  }

  #hasRealWork(): boolean {
    for (const { isDecoy } of this.#waiting) if (!isDecoy) return true;
    return false;
  }

  #refuseLast(isProven: boolean): void {
    const isSame = ({ turn }: Waiting) => (turn.lane === 'proven') === isProven;
    let waiting = 0;
    for (const place of this.#waiting) if (isSame(place)) waiting += 1;
    if (waiting <= (isProven ? PROVEN_WAITING_MAX : WAITING_MAX)) return;
    const last = this.#inOrder().findLast(isSame);
    last?.refuse();
  }

  /** By lane, then the first place of every group before the second of any, then the fewest tries first, then by arrival. */
  #inOrder(): readonly Waiting[] {
    const nths = new Map<string, number>();
    // The set is in order of arrival, and sorting keeps the order of equals.
    const ranked = [...this.#waiting].map((place) => {
      const key = keyOf(place.turn);
      const nth = nths.get(key) ?? 0;
      nths.set(key, nth + 1);
      return { place, lane: LANES.indexOf(place.turn.lane), nth, tries: this.#tries.of(key) };
    });
    ranked.sort((a, b) => a.lane - b.lane || a.nth - b.nth || a.tries - b.tries);
    return ranked.map(({ place }) => place);
  }

  #note(started: Waiting): void {
    hashes.inc({ lane: started.turn.lane, outcome: 'started' });
    for (const { turn } of this.#waiting) if (turn !== started.turn) waitedFor.inc({ lane: turn.lane });
  }
}

/** Tries of each group in this and the last period. Two maps instead of one time per try keep it small. */
class RecentTries {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #now = new Map<string, number>();
  #before = new Map<string, number>();
  #sinceMs: number;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#sinceMs = clock.monotonic();
  }

  add(key: string): void {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#sinceMs >= TRIES_KEPT_MS || this.#now.size >= GROUPS_MAX) {
      this.#before = this.#now;
      this.#now = new Map();
      this.#sinceMs = nowMs;
    }
    this.#now.set(key, (this.#now.get(key) ?? 0) + 1);
  }

  of(key: string): number {
    return (this.#now.get(key) ?? 0) + (this.#before.get(key) ?? 0);
  }
}

const busy = () =>
  unavailable('Too many people are signing in right now. Try again in a few seconds.', BUSY_RETRY_AFTER_S);

const keyOf = ({ lane, group }: Turn): string => `${lane === 'proven' ? 'p' : 'n'} ${group}`;
