import { listSources } from '#capabilities/corpus/index.ts';
import type { OtherData } from '#capabilities/datasets/index.ts';
import type { Clock } from '#platform/clock.ts';
import { ServiceError } from '#platform/errors.ts';
import { KEYED } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { keepValue } from '#platform/kept-value.ts';
import type { Postgres } from '#platform/postgres.ts';
import { DataFreshness, DataOpsPipeline } from './freshness/contract.ts';
import { describePipeline } from './freshness/describe-pipeline.ts';
import { reportFreshness } from './freshness/report-freshness.ts';
import { findNewestRun, listFeedStates } from './freshness/store.ts';
import { type DataHealth, summarizeFreshness } from './freshness/summarize-freshness.ts';
import { LicensedSources, SourceStatistics, SourceStatisticsReply } from './sources/contract.ts';
import { presentSources } from './sources/present-sources.ts';
import { findSourceStatistic } from './sources/store.ts';
import { SubmitBody, SubmitReply } from './submissions/contract.ts';
import { submitSources } from './submissions/submit-sources.ts';

export type FeedsDeps = {
  readonly clock: Clock;
  /** The pool for routes with an Idempotency-Key, which write under row-level security. */
  readonly postgres: Postgres;
  /** Data of other capabilities for the freshness report. */
  readonly otherData?: () => Promise<readonly OtherData[]>;
};

const SOURCES = ['Sources'];
const PLATFORM = ['Platform'];
const REREAD_MS = 60_000;
/** Short, because an operator who repairs something reloads the page. */
const FRESHNESS_REREAD_MS = 5_000;

export const feedsRoutes = (deps: FeedsDeps): readonly Route[] => [
  ...submissionRoutes(deps),
  ...sourceRoutes(deps),
  ...platformRoutes(deps),
];

const submissionRoutes = (deps: FeedsDeps): readonly Route[] => [
  route({
    method: 'POST',
    path: '/submit',
    summary: 'Propose lists that this service should read.',
    description:
      'An operator decides on every proposal. Nothing is fetched from the address before it is approved.',
    tags: SOURCES,
    policy: { ...KEYED, idempotent: true, stores: true },
    body: SubmitBody,
    reply: SubmitReply,
    handle: async ({ principal, body }) => {
      const submitted = await submitSources(deps, principal.accountId, body.sources);
      const [what, them] =
        submitted === 1 ? ['The proposal is', 'it'] : [`The ${submitted} proposals are`, 'them'];
      return {
        message: `Thank you. ${what} filed; an operator reads ${them} before anything is fetched.`,
        submitted,
      };
    },
  }),
];

function sourceRoutes({ clock, postgres }: FeedsDeps): readonly Route[] {
  const readSources = keepValue({
    clock,
    freshMs: REREAD_MS,
    load: async () =>
      presentSources(await listSources(postgres.db), await listFeedStates(postgres.db), clock.now()),
  });
  const readStatistics = keepValue({ clock, freshMs: REREAD_MS, load: () => statistics(postgres) });
  return [
    route({
      method: 'POST',
      path: '/sources',
      summary: 'Every source of this service, for licensed accounts.',
      description:
        'Needs an active licence in the X-License-Key header beside the credential; without one, or with one that is unknown or has expired, 403. Takes no body.',
      tags: SOURCES,
      policy: { ...KEYED, licence: true },
      reply: LicensedSources,
      handle: () => readSources(),
    }),
    route({
      method: 'GET',
      path: '/sources/statistics',
      summary: 'What the sources hold, and how they do.',
      description: 'Computed every five minutes. 404 as long as nothing has been computed.',
      tags: SOURCES,
      policy: { ...KEYED, class: 'E' },
      reply: SourceStatisticsReply,
      mayBeAbsent: true,
      handle: () => readStatistics(),
    }),
  ];
}

/** An empty cache answers 404 (contract 4.6); the next call reads it again. */
async function statistics(postgres: Postgres): Promise<SourceStatisticsReply> {
  const found = await findSourceStatistic(postgres.db);
  // A row of another version counts as absent. Parsing also restores the field order, which jsonb does not keep.
  const data = SourceStatistics.safeParse(found?.value);
  if (found === undefined || !data.success)
    throw new ServiceError('Not Found', 'No source statistics have been computed yet. The worker does that.');
  return { success: true, data: data.data, timestamp: new Date(found.computedAtMs).toISOString() };
}

/** The freshness report as the routes and the public status page read it. */
const loadFreshness = async ({
  clock,
  postgres,
  otherData = async () => [],
}: FeedsDeps): Promise<DataFreshness> =>
  reportFreshness(
    await listSources(postgres.db),
    await listFeedStates(postgres.db),
    clock.now(),
    await otherData(),
  );

/** Counts of data sets by state, for the public status page. */
export async function countFreshness(deps: FeedsDeps) {
  const { overallStatus, datasets } = await loadFreshness(deps);
  const of = (wanted: string): number => datasets.filter(({ status }) => status === wanted).length;
  return {
    overallStatus,
    fresh: of('fresh'),
    stale: of('stale'),
    missing: of('missing'),
    failing: of('failing'),
  };
}

/** Short, because a first import must not be called operational before its files are published. */
const DATA_FRESH_MS = 5_000;

/** The state of the loaded data in one sentence for `/health`, read at most every five seconds. */
export const keepDataHealth = (deps: FeedsDeps): (() => Promise<DataHealth>) =>
  keepValue({
    clock: deps.clock,
    freshMs: DATA_FRESH_MS,
    load: async () => summarizeFreshness(await loadFreshness(deps)),
  });

function platformRoutes(deps: FeedsDeps): readonly Route[] {
  const { clock, postgres } = deps;
  const readFreshness = keepValue({
    clock,
    freshMs: FRESHNESS_REREAD_MS,
    load: () => loadFreshness(deps),
  });
  const readPipeline = keepValue({
    clock,
    freshMs: FRESHNESS_REREAD_MS,
    load: async () => describePipeline(await findNewestRun(postgres.db), clock.now()),
  });
  return [
    route({
      method: 'GET',
      path: '/platform/data-freshness',
      summary: 'How old the data is, source by source, and what to do about it.',
      description: 'At most five seconds old.',
      tags: PLATFORM,
      policy: KEYED,
      reply: DataFreshness,
      handle: () => readFreshness(),
    }),
    route({
      method: 'GET',
      path: '/platform/data-ops/pipeline',
      summary: 'The steps from a published list to a listing, and how the last run went.',
      tags: PLATFORM,
      policy: KEYED,
      reply: DataOpsPipeline,
      handle: () => readPipeline(),
    }),
  ];
}
