import { BUCKETS, eachFeature } from './name-features.ts';
import { type NameParts, namePartsOf, ownedName } from './name-parts.ts';
import { type NameTable, scoreName, WEIGHT_STEPS } from './name-table.ts';
import { pieceHash } from './piece-hash.ts';

/** More good names hardly change the weights, and these cost 40 MB. */
export const GOOD_MAX = 250_000;
/**
 * A list of a hundred thousand old names must not outvote one of ten thousand that are online today. Measured for May with
 * three more lists: with 100,000 a source the signal foresaw 3.0 % of PhishTank's new hosts (docs/decisions/0014).
 */
export const BAD_MAX_A_SOURCE = 20_000;
/** One good name in three is held aside, to set the thresholds on names that training has not seen. */
const HELD_ASIDE_EVERY = 3;
const EPOCHS = 3;
const RATE = 0.15;
/**
 * The share of the good names held aside that may raise the signal. Lists of good names hold popular ones, so it is .009 to
 * .021 % of the hosts that people visit (four days); with .0002 it is .016 to .028 %.
 */
const FALSE_ALARMS = { own: 0.00015 } as const;
/** With fewer good names held aside no threshold is set, because so few do not show where such a share begins. */
const HELD_ASIDE_MIN = 5_000;

const SEED_ORDER = 17;
const NAMES_A_TURN = 5_000;

export type Trained = {
  readonly table: NameTable;
  readonly bad: number;
  readonly good: number;
  readonly heldAside: number;
};

/**
 * Collects own domains without repetition, in any order, and keeps a fixed choice of at most the given number. Tenants of
 * platforms are left out: a scorecard judges them.
 */
export class NameSample {
  readonly #names = new Map<string, { readonly parts: NameParts; readonly order: number }>();
  #most = 0xffff_ffff;
  readonly #namesMax: number;

  constructor(namesMax: number) {
    this.#namesMax = namesMax;
  }

  add(host: string): void {
    const parts = namePartsOf(host);
    if (parts === null || parts.isTenant) return;
    const name = ownedName(parts);
    const order = pieceHash(SEED_ORDER, name);
    if (order > this.#most || this.#names.has(name)) return;
    this.#names.set(name, { parts, order });
    if (this.#names.size > this.#namesMax) this.#halve();
  }

  /** Halves the limit on the hash of a name and drops names above it, so the order of arrival does not matter. */
  #halve(): void {
    this.#most = Math.floor(this.#most / 2);
    for (const [name, { order }] of this.#names) if (order > this.#most) this.#names.delete(name);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  *[Symbol.iterator](): Generator<readonly [string, { readonly parts: NameParts; readonly order: number }]> {
    yield* this.#names;
  }
}

type Example = { readonly parts: NameParts; readonly order: number; readonly isBad: boolean };

/**
 * Logistic regression over the features of the bad names of each source and of the good names. Every step is fixed, so
 * the same names give the same table, byte for byte: names are visited in the order of their hash, and weights are
 * rounded at the end. A name in both samples is left out of the good ones. Yields every 5,000 names, so that a worker can
 * renew its lease.
 */
export function* trainingOf(
  bad: readonly NameSample[],
  good: NameSample,
  asideMin = HELD_ASIDE_MIN,
): Generator<void, Trained> {
  const aside: NameParts[] = [];
  const goods: Example[] = [];
  for (const [name, { parts, order }] of good) {
    if (bad.some((sample) => sample.has(name))) continue;
    if (order % HELD_ASIDE_EVERY === 0) aside.push(parts);
    else goods.push({ parts, order, isBad: false });
  }
  const named = new Map(bad.flatMap((sample) => [...sample]));
  const bads = [...named.values()].map(({ parts, order }): Example => ({ parts, order, isBad: true }));
  const examples = [...bads, ...goods].sort(
    (a, b) => a.order - b.order || (ownedName(a.parts) < ownedName(b.parts) ? -1 : 1),
  );
  const weights = rounded(yield* descend(examples, bads.length, goods.length));
  const own = thresholdOf(weights, aside, FALSE_ALARMS.own, asideMin);
  return {
    table: { weights, threshold: { own, tenant: null } },
    bad: bads.length,
    good: goods.length,
    heldAside: aside.length,
  };
}

export function trainNames(...given: Parameters<typeof trainingOf>): Trained {
  const training = trainingOf(...given);
  for (;;) {
    const { done, value } = training.next();
    if (done === true) return value;
  }
}

/** Both classes weigh the same, however many names each has: the threshold sets the rate of alarms, not their share. */
function* descend(examples: readonly Example[], bads: number, goods: number): Generator<void, Float32Array> {
  const weights = new Float32Array(BUCKETS);
  const squares = new Float32Array(BUCKETS).fill(1e-6);
  if (bads === 0 || goods === 0) return weights;
  const most = Math.max(bads, goods);
  const [badWeight, goodWeight] = [most / bads, most / goods];
  const buckets: number[] = [];
  for (let epoch = 0; epoch < EPOCHS; epoch += 1)
    for (const [at, { parts, isBad }] of examples.entries()) {
      if (at % NAMES_A_TURN === 0) yield;
      buckets.length = 0;
      let sum = 0;
      eachFeature(parts, (bucket) => {
        buckets.push(bucket);
        sum += weights[bucket] as number;
      });
      const expected = 1 / (1 + Math.exp(-sum));
      const error = ((isBad ? 1 : 0) - expected) * Math.min(8, isBad ? badWeight : goodWeight);
      for (const bucket of buckets) {
        const before = weights[bucket] as number;
        const square = (squares[bucket] as number) + error * error;
        squares[bucket] = square;
        weights[bucket] = before + (RATE * error) / Math.sqrt(square);
      }
    }
  return weights;
}

const rounded = (weights: Float32Array): Int8Array =>
  Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight * WEIGHT_STEPS))));

/** The least score that at most the given share of the good names reaches. */
function thresholdOf(
  weights: Int8Array,
  good: readonly NameParts[],
  share: number,
  namesMin: number,
): number | null {
  if (good.length < namesMin) return null;
  const scores = good.map((parts) => scoreName({ weights }, parts)).sort((a, b) => b - a);
  // Never at or below zero: there a name resembles good ones as much as listed ones.
  return Math.max(1, (scores[Math.floor(good.length * share)] as number) + 1);
}
