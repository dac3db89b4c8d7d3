import { counter, DurationTally, gauge, talliedCounter, talliedHistogram } from '#platform/metrics.ts';

/** Where an answer came from. `shared`: from a lookup that another caller had started. */
export type AnswerOrigin = 'memory' | 'redis' | 'postgres' | 'upstream' | 'stale' | 'shared' | 'none';

export type CallOutcome =
  | 'found'
  | 'absent'
  | 'failed'
  | 'deadline'
  | 'target'
  | 'refused'
  | 'cancelled'
  | 'busy'
  | 'breaker';

const BUCKETS_MS = [10, 25, 50, 100, 250, 500, 1_000, 2_000, 3_000, 5_000, 8_000, 15_000] as const;

const calls = counter({
  name: 'live_calls_total',
  help: 'Upstream calls, by provider and outcome.',
  labels: ['provider', 'outcome'],
});
const inFlight = gauge({
  name: 'live_in_flight',
  help: 'Upstream calls running now.',
  labels: ['provider'],
});
const breakersOpen = gauge({
  name: 'live_breakers_open',
  help: 'Upstreams not called because they failed too often.',
  labels: ['provider'],
});

/** Counted by hand and read on a scrape: a labelled counter costs 2 us, and a check reads seven caches. */
class Tally {
  readonly answers = new Map<AnswerOrigin, number>();
  readonly durations = new DurationTally(BUCKETS_MS);

  clear(): void {
    this.answers.clear();
    this.durations.clear();
  }
}
const tallies = new Map<string, Tally>();

export type FrameMetrics = {
  readonly answered: (from: AnswerOrigin) => void;
  readonly began: () => void;
  readonly ended: (outcome: CallOutcome, seconds: number) => void;
  readonly withheld: (outcome: 'busy' | 'breaker') => void;
  readonly breakerOpened: () => void;
  readonly breakerClosed: () => void;
};

export function frameMetrics(provider: string): FrameMetrics {
  const tally = tallies.get(provider) ?? new Tally();
  tallies.set(provider, tally);
  inFlight.set({ provider }, 0);
  breakersOpen.set({ provider }, 0);
  return {
    answered: (from) => tally.answers.set(from, (tally.answers.get(from) ?? 0) + 1),
    began: () => inFlight.inc({ provider }),
    ended: (outcome, seconds) => {
      inFlight.dec({ provider });
      calls.inc({ provider, outcome });
      tally.durations.add(seconds * 1_000);
    },
    withheld: (outcome) => calls.inc({ provider, outcome }),
    breakerOpened: () => breakersOpen.inc({ provider }),
    breakerClosed: () => breakersOpen.dec({ provider }),
  };
}

const reset = () => {
  for (const tally of tallies.values()) tally.clear();
};

talliedCounter({
  name: 'live_answers_total',
  help: 'Questions answered, by provider and where the answer came from.',
  samples: () =>
    [...tallies].flatMap(([provider, { answers }]) =>
      [...answers].map(([from, value]) => ({ value, labels: { provider, from } })),
    ),
  reset,
});
talliedHistogram({
  name: 'live_call_seconds',
  help: 'How long upstreams took, answered or not.',
  tallies: () => [...tallies].map(([provider, { durations }]) => [{ provider }, durations] as const),
  reset,
});
