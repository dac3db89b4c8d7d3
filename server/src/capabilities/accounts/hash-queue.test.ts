import { describe, expect, test } from 'vitest';
import {
  AT_ONCE_MAX,
  createHashQueue,
  type HashQueue,
  type Lane,
  PROVEN_WAITING_MAX,
  type Turn,
  WAITING_MAX,
} from './hash-queue.ts';

/** A hash that the test ends, so that places are counted and not seconds. */
type Begun = { readonly name: string; readonly end: () => void };

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const turnOf = (lane: Lane, group: string, signal = new AbortController().signal): Turn => ({
  lane,
  group,
  signal,
});

function openQueue() {
  const queue: HashQueue = createHashQueue({ monotonic: () => 0 });
  const running: Begun[] = [];
  const started: string[] = [];
  const outcomes = new Map<string, string>();
  const work = (name: string) => () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    started.push(name);
    running.push({ name, end: () => resolve(name) });
    return promise;
  };
  const note = (name: string, done: Promise<unknown>) =>
    done.then(
      () => outcomes.set(name, 'answered'),
      () => outcomes.set(name, 'refused'),
    );
  return {
    started,
    outcomes,
    ask: (name: string, turn: Turn) => void note(name, queue.run(turn, work(name))),
    askDecoy: (name: string, turn: Turn) => void note(name, queue.runDecoy(turn, work(`decoy ${name}`))),
    /** Ends the oldest hash that runs, so that one thread is free. */
    free: async () => {
      running.shift()?.end();
      await settled();
    },
    isIdle: () => running.length === 0,
  };
}

type Opened = ReturnType<typeof openQueue>;
const keepBusy = (q: Opened) => {
  for (let i = 0; i < AT_ONCE_MAX; i += 1) q.ask(`in flight ${i}`, turnOf('open', `busy${i}`));
};
const drain = async (q: Opened) => {
  while (!q.isIdle()) await q.free();
};
const count = (q: Opened, prefix: string, outcome: string): number =>
  [...q.outcomes].filter(([name, is]) => name.startsWith(prefix) && is === outcome).length;

describe('the order of password hashes', () => {
  test('a known device starts at the first free thread, before everybody who waits', async () => {
    const q = openQueue();
    keepBusy(q);
    for (let i = 0; i < WAITING_MAX; i += 1) q.ask(`stranger ${i}`, turnOf('open', `n${i}`));
    q.ask('known', turnOf('proven', 'owner'));
    await q.free();
    expect(q.started.at(AT_ONCE_MAX)).toBe('known');
  });

  test('networks take turns: one that sends twenty requests delays no other', async () => {
    const q = openQueue();
    keepBusy(q);
    for (let i = 0; i < WAITING_MAX - 1; i += 1) q.ask(`crowd ${i}`, turnOf('open', 'crowd'));
    q.ask('alone', turnOf('open', 'alone'));
    await q.free();
    await q.free();
    expect(q.started.slice(AT_ONCE_MAX)).toEqual(['alone', 'crowd 0']);
  });

  test('a full queue refuses the last place, not the newest request', async () => {
    const q = openQueue();
    keepBusy(q);
    for (let i = 0; i < WAITING_MAX; i += 1) q.ask(`crowd ${i}`, turnOf('open', 'crowd'));
    q.ask('alone', turnOf('open', 'alone'));
    await settled();
    expect([...q.outcomes]).toEqual([[`crowd ${WAITING_MAX - 1}`, 'refused']]);
  });

  test('registrations wait for everybody who signs in', async () => {
    const q = openQueue();
    keepBusy(q);
    q.ask('register', turnOf('registration', 'n1'));
    q.ask('open', turnOf('open', 'n2'));
    await q.free();
    expect(q.started.at(-1)).toBe('open');
  });

  test('a request that ends while it waits leaves the queue', async () => {
    const q = openQueue();
    keepBusy(q);
    const request = new AbortController();
    q.ask('gone', turnOf('open', 'n1', request.signal));
    q.ask('stays', turnOf('open', 'n2'));
    request.abort();
    await drain(q);
    expect(q.started.slice(AT_ONCE_MAX)).toEqual(['stays']);
  });
});

describe('a hash for an email address without an account', () => {
  test('is done like any other while no real one waits', async () => {
    const q = openQueue();
    keepBusy(q);
    for (let i = 0; i < 4; i += 1) q.askDecoy(`none ${i}`, turnOf('open', `n${i}`));
    await drain(q);
    expect(q.started.slice(AT_ONCE_MAX)).toEqual([
      'decoy none 0',
      'decoy none 1',
      'decoy none 2',
      'decoy none 3',
    ]);
  });

  test('keeps no real one waiting, and ends when the real one that starts at its turn ends', async () => {
    const q = openQueue();
    keepBusy(q);
    for (let i = 0; i < 10; i += 1) q.askDecoy(`none ${i}`, turnOf('open', `n${i}`));
    q.ask('real', turnOf('open', 'real'));
    await q.free();
    expect([q.started.at(-1), q.outcomes.has('none 0')]).toEqual(['real', false]);
    await drain(q);
    expect([q.started.length, count(q, 'none', 'answered')]).toEqual([AT_ONCE_MAX + 1, 10]);
  });

  test('is refused in a full queue exactly where a real one would be', async () => {
    const refused = async (isDecoy: boolean) => {
      const q = openQueue();
      keepBusy(q);
      const ask = isDecoy ? q.askDecoy : q.ask;
      for (let i = 0; i < 60; i += 1) ask(`try ${i}`, turnOf('open', `n${i % 25}`));
      await settled();
      return [...q.outcomes.keys()].sort();
    };
    expect(await refused(true)).toEqual(await refused(false));
  });
});

describe('a storm from 400 networks, each within its limits (reliability A8)', () => {
  /** Between two hashes that end, this many requests of the storm arrive: far more than are hashed. */
  const ARRIVALS = 5;
  const NETWORKS = 400;
  /** The storm has been everywhere once before the first honest request arrives. */
  const WARM_UP = NETWORKS / ARRIVALS;

  async function storm(
    q: Opened,
    rounds: number,
    isReal: (nth: number) => boolean,
    at: (round: number) => void,
  ) {
    let nth = 0;
    for (let round = 0; round < WARM_UP + rounds; round += 1) {
      for (let i = 0; i < ARRIVALS; i += 1, nth += 1) {
        const turn = turnOf('open', `storm${nth % NETWORKS}`);
        if (isReal(nth)) q.ask(`storm ${nth}`, turn);
        else q.askDecoy(`storm ${nth}`, turn);
      }
      if (round >= WARM_UP) at(round - WARM_UP);
      await q.free();
    }
    await drain(q);
  }

  test('200 of 200 sign-ins of known devices are answered, each at the first free thread', async () => {
    const q = openQueue();
    await storm(
      q,
      200,
      () => true,
      (round) => {
        q.ask(`known ${round}`, turnOf('proven', `person${round % 20}`));
      },
    );
    expect(count(q, 'known', 'answered')).toBe(200);
    const places = q.started.flatMap((name, at) => (name.startsWith('known') ? [at] : []));
    // One arrives per free thread, so one starts per free thread: nothing of the storm is between them.
    expect((places.at(-1) ?? 0) - (places[0] ?? 0)).toBe(199);
  });

  test.each([
    ['of real accounts', () => true],
    ['half of them without an account', (nth: number) => nth % 2 === 0],
    ['all of them without an account', () => false],
  ])('100 of 100 new devices of real accounts are answered beside tries %s', async (_name, isReal) => {
    const q = openQueue();
    await storm(q, 400, isReal, (round) => {
      if (round % 4 === 0) q.ask(`new ${round}`, turnOf('open', `new${round}`));
    });
    expect(count(q, 'new', 'answered')).toBe(100);
  });

  test('a new device that is refused while the storm begins is answered when it tries again', async () => {
    const q = openQueue();
    keepBusy(q);
    const wave = (name: string) => {
      for (let i = 0; i < NETWORKS; i += 1) q.ask(`${name} ${i}`, turnOf('open', `storm${i}`));
    };
    wave('first');
    q.ask('too early', turnOf('open', 'new'));
    await settled();
    expect(q.outcomes.get('too early')).toBe('refused');
    wave('second');
    wave('third');
    q.ask('again', turnOf('open', 'new'));
    await drain(q);
    expect(q.outcomes.get('again')).toBe('answered');
  });

  test('known devices have their own places, and beyond them the last one is refused', async () => {
    const q = openQueue();
    keepBusy(q);
    for (let i = 0; i < WAITING_MAX; i += 1) q.ask(`stranger ${i}`, turnOf('open', `n${i}`));
    for (let i = 0; i <= PROVEN_WAITING_MAX; i += 1) q.ask(`known ${i}`, turnOf('proven', `p${i}`));
    await drain(q);
    expect([count(q, 'stranger', 'answered'), count(q, 'known', 'answered')]).toEqual([
      WAITING_MAX,
      PROVEN_WAITING_MAX,
    ]);
  });
});
