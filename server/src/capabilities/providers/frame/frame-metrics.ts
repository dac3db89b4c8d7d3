import { counter, gauge, registry } from '#platform/metrics.ts';

/** Where an answer came from. `shared`: from a question somebody else had under way. */
export type AnswerOrigin = 'memory' | 'redis' | 'postgres' | 'upstream' | 'stale' | 'shared' | 'none';

/** What became of a question that was to be put to an upstream. */
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

const ANSWERS = 'assay_live_answers_total';
const SECONDS = 'assay_live_call_seconds';
const BUCKETS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 15] as const;

const calls = counter({
  name: 'live_calls_total',
  help: 'Questions meant for an upstream, by provider and end.',
  labels: ['provider', 'outcome'],
});
const inFlight = gauge({
  name: 'live_in_flight',
  help: 'Questions being put to upstreams now.',
  labels: ['provider'],
});
const breakersOpen = gauge({
  name: 'live_breakers_open',
  help: 'Upstreams that are not asked because they failed too often.',
  labels: ['provider'],
});

/** Counted by hand and read when somebody asks: a labelled counter costs 2 us, and a check looks at seven memories. */
class Tally {
  readonly answers = new Map<AnswerOrigin, number>();
  readonly buckets: number[] = BUCKETS_S.map(() => 0);
  count = 0;
  sumS = 0;

  clear(): void {
    this.answers.clear();
    this.buckets.fill(0);
    this.count = 0;
    this.sumS = 0;
  }
}
const tallies = new Map<string, Tally>();

export type FrameMetrics = {
  readonly answered: (from: AnswerOrigin) => void;
  /** A question goes out. */
  readonly began: () => void;
  /** It came back, or was given up. */
  readonly ended: (outcome: CallOutcome, seconds: number) => void;
  /** It was not asked at all. */
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
      const bucket = BUCKETS_S.findIndex((bound) => seconds <= bound);
      if (bucket >= 0) tally.buckets[bucket] = (tally.buckets[bucket] ?? 0) + 1;
      tally.count += 1;
      tally.sumS += seconds;
    },
    withheld: (outcome) => calls.inc({ provider, outcome }),
    breakerOpened: () => breakersOpen.inc({ provider }),
    breakerClosed: () => breakersOpen.dec({ provider }),
  };
}

type Sample = {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
};

const answerSamples = (): Sample[] =>
  [...tallies].flatMap(([provider, { answers }]) =>
    [...answers].map(([from, value]) => ({ value, labels: { provider, from } })),
  );

const secondsSamples = (): Sample[] =>
  [...tallies].flatMap(([provider, tally]) => {
    let below = 0;
    const bucket = (le: number | string, value: number): Sample => ({
      value,
      labels: { le, provider },
      metricName: `${SECONDS}_bucket`,
    });
    return [
      ...BUCKETS_S.map((bound, index) => {
        below += tally.buckets[index] ?? 0;
        return bucket(bound, below);
      }),
      bucket('+Inf', tally.count),
      { value: tally.sumS, labels: { provider }, metricName: `${SECONDS}_sum` },
      { value: tally.count, labels: { provider }, metricName: `${SECONDS}_count` },
    ];
  });

function register(name: string, help: string, type: 'counter' | 'histogram', samples: () => Sample[]): void {
  const metric = { name, help, type, aggregator: 'sum' };
  const reset = () => {
    for (const tally of tallies.values()) tally.clear();
  };
  // What the registry asks of a metric; the library has no type for one that is not its own.
  registry.registerMetric({ ...metric, get: async () => ({ ...metric, values: samples() }), reset } as never);
}

register(
  ANSWERS,
  'Questions answered, by provider and where the answer came from.',
  'counter',
  answerSamples,
);
register(SECONDS, 'How long upstreams took, answered or not.', 'histogram', secondsSamples);
