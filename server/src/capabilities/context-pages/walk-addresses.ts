import { setImmediate as nextTurn } from 'node:timers/promises';
import { indicatorOfKey, type KeySpan, KIND, type WalkableCorpus } from '#capabilities/corpus/index.ts';
import { EXAMINED_MAX } from './contract.ts';
import type { Candidate } from './examine-members.ts';

export type AddressSpan = { readonly first: Uint8Array; readonly last: Uint8Array };

export type Walked = {
  /** Every accused key that was read, in the order of the spans. */
  readonly keys: readonly Uint8Array[];
  /** The keys with the latest first sightings, at most EXAMINED_MAX. */
  readonly candidates: readonly Candidate[];
  /** True: there are more accused addresses than were read, or more than may be examined. */
  readonly isPartial: boolean;
};

/** The most accused keys that are read, in about 50 ms; most networks hold fewer. */
const KEYS_MAX = 20_000;
const KEYS_PER_STEP = 500;
/** Other requests are served after this many steps; a step is cheap, because most ranges hold nothing listed. */
const STEPS_PER_TURN = 20;

/** The single addresses of the spans that a threat source lists now, from the replica alone. */
export async function walkAddresses(
  corpus: Pick<WalkableCorpus, 'accusedBetween'>,
  spans: readonly AddressSpan[],
): Promise<Walked> {
  const accused: { readonly key: Uint8Array; readonly firstSeenS: number }[] = [];
  let [keysRead, steps, isCut] = [0, 0, false];
  for (const span of spans) {
    let rest: KeySpan | null = { from: keyOf(span.first), last: keyOf(span.last) };
    while (rest !== null && !isCut) {
      const step = corpus.accusedBetween(rest, KEYS_PER_STEP);
      accused.push(...step.accused);
      keysRead += step.keysRead;
      rest = step.rest;
      isCut = keysRead >= KEYS_MAX;
      steps += 1;
      if (step.rest !== null || steps % STEPS_PER_TURN === 0) await nextTurn();
    }
    if (isCut) break;
  }
  const newest = accused
    .toSorted((a, b) => b.firstSeenS - a.firstSeenS || Buffer.compare(a.key, b.key))
    .slice(0, EXAMINED_MAX);
  return {
    keys: accused.map(({ key }) => key),
    candidates: newest.flatMap(({ key, firstSeenS }) => {
      const parsed = indicatorOfKey(key);
      return parsed?.ok === true
        ? [{ key, indicator: parsed.indicator, firstSeenS, dating: null, isWithheld: false }]
        : [];
    }),
    isPartial: isCut || accused.length > newest.length,
  };
}

const keyOf = (address: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.of(address.length === 4 ? KIND.ipv4 : KIND.ipv6), address]);
