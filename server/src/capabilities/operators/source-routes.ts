import { z } from 'zod';
import { discardQuarantine } from '#capabilities/datasets/index.ts';
import {
  addSource,
  approveSubmission,
  describeFeed,
  disableSource,
  enableSource,
  enqueueRun,
  listSubmissions,
  type PipelineDeps,
  readFeedStatus,
  rejectSubmission,
  releaseQuarantine,
  retireSource,
  rollbackSource,
  type Submission,
} from '#capabilities/feeds/index.ts';
import { badRequest, notFound, ServiceError } from '#platform/errors.ts';
import { NO_BODY, type OtherStatuses, type Route, route } from '#platform/http/route.ts';
import { act } from './act.ts';
import {
  ChangeSourceBody,
  CreateSourceBody,
  DecideBody,
  Decided,
  Discarded,
  IdParams,
  Merged,
  OneSource,
  Queued,
  RollbackBody,
  RunBody,
  SourcePage,
  SourceParams,
  type SourceView,
  SubmissionPage,
  SubmissionsQuery,
  type SubmissionView,
} from './contract.ts';
import { OPERATORS, OPERATORS_SLOWLY } from './policy.ts';

const TAGS = ['operators'];
const STATE: OtherStatuses = {
  409: 'Nothing waits for this, or a run of the source is going on.',
  422: 'The list was not accepted; the last good content stays.',
};

export const sourceRoutes = (deps: PipelineDeps): readonly Route[] => [
  ...registryRoutes(deps),
  ...contentRoutes(deps),
  ...submissionRoutes(deps),
];

const registryRoutes = (deps: PipelineDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/admin/sources',
    summary: 'Every source with its state and its last run.',
    tags: TAGS,
    policy: OPERATORS,
    reply: SourcePage,
    handle: async () => ({ sources: await describeAll(deps, null) }),
  }),
  route({
    method: 'POST',
    path: '/admin/sources',
    summary: 'Register a source.',
    tags: TAGS,
    policy: OPERATORS,
    body: CreateSourceBody,
    otherStatuses: { 409: 'A source has this id already.' },
    reply: OneSource,
    status: 201,
    handle: (call) => {
      const { id, ...settings } = call.body;
      return act(deps, call, { action: 'source.create', target: id, detail: settings }, async () => {
        if ((await describeAll(deps, id)).length > 0)
          throw new ServiceError('Conflict', `There is a source '${id}' already. Change it with PATCH.`);
        await addSource(deps, id, settings);
        return { source: await describeOne(deps, id) };
      });
    },
  }),
  route({
    method: 'GET',
    path: '/admin/sources/:id',
    summary: 'One source.',
    tags: TAGS,
    policy: OPERATORS,
    params: SourceParams,
    reply: OneSource,
    handle: async ({ params }) => ({ source: await describeOne(deps, params.id) }),
  }),
  route({
    method: 'PATCH',
    path: '/admin/sources/:id',
    summary: 'Change settings of a source; `scheduled` lets the worker fetch it or stops that.',
    tags: TAGS,
    policy: OPERATORS,
    params: SourceParams,
    body: ChangeSourceBody,
    otherStatuses: { 409: 'The source cannot be scheduled; the message says why.' },
    reply: OneSource,
    handle: (call) =>
      act(deps, call, { action: 'source.change', target: call.params.id, detail: call.body }, async () => {
        await changeSource(deps, call.params.id, call.body);
        return { source: await describeOne(deps, call.params.id) };
      }),
  }),
  route({
    method: 'DELETE',
    path: '/admin/sources/:id',
    summary: 'Take a source out of every answer.',
    description:
      'It is not fetched any more and its listings count nowhere. Its history stays, because a past day can be asked about; PATCH with `enabled: true` takes it back.',
    tags: TAGS,
    policy: OPERATORS,
    params: SourceParams,
    reply: z.undefined(),
    status: 204,
    handle: async (call) => {
      await act(deps, call, { action: 'source.delete', target: call.params.id }, () =>
        retireSource(deps, call.params.id),
      );
      return NO_BODY;
    },
  }),
];

async function changeSource(
  deps: PipelineDeps,
  id: string,
  { acceptLicence = false, scheduled, ...settings }: z.output<typeof ChangeSourceBody>,
): Promise<void> {
  await describeOne(deps, id);
  if (scheduled === true) await enableSource(deps, id, { acceptLicence });
  if (scheduled === false) await disableSource(deps, id);
  if (Object.keys(settings).length > 0) await addSource(deps, id, settings);
}

const contentRoutes = (deps: PipelineDeps): readonly Route[] => [
  route({
    method: 'POST',
    path: '/admin/sources/:id/run',
    summary: 'Fetch a source now; a worker does it.',
    tags: TAGS,
    policy: OPERATORS,
    params: SourceParams,
    body: RunBody,
    reply: Queued,
    status: 202,
    handle: (call) =>
      act(
        deps,
        call,
        { action: 'source.run', target: call.params.id, detail: { ...call.body } },
        async () => {
          const { id } = await describeOne(deps, call.params.id);
          const jobId = await deps.system.transaction((tx) => enqueueRun(tx, id, call.body?.force === true));
          return { sourceId: id, jobId };
        },
      ),
  }),
  route({
    method: 'POST',
    path: '/admin/sources/:id/release',
    summary: 'Accept the download of a source that a gate stopped.',
    tags: TAGS,
    policy: OPERATORS_SLOWLY,
    params: SourceParams,
    otherStatuses: STATE,
    reply: Merged,
    handle: (call) =>
      act(deps, call, { action: 'source.release', target: call.params.id }, async ({ id: by }) => {
        const { sourceId, runId, status, reason, report } = await releaseQuarantine(deps, call.params.id, {
          by,
        });
        const merged = report === undefined ? NOTHING_MERGED : countsOf(report);
        return { sourceId, runId: runId ?? null, status, reason, ...merged };
      }),
  }),
  route({
    method: 'POST',
    path: '/admin/sources/:id/discard',
    summary: 'Drop the download of a source that a gate stopped.',
    tags: TAGS,
    policy: OPERATORS,
    params: SourceParams,
    otherStatuses: STATE,
    reply: Discarded,
    handle: (call) =>
      act(deps, call, { action: 'source.discard', target: call.params.id }, async (actor) => {
        await discardQuarantine(deps, call.params.id, { by: actor.id });
        return { sourceId: call.params.id, discarded: true as const };
      }),
  }),
  route({
    method: 'POST',
    path: '/admin/sources/:id/rollback',
    summary: 'Restore earlier content of a source; what was taken back is not taken again.',
    tags: TAGS,
    policy: OPERATORS_SLOWLY,
    params: SourceParams,
    body: RollbackBody,
    otherStatuses: STATE,
    reply: Merged,
    handle: (call) =>
      act(
        deps,
        call,
        { action: 'source.rollback', target: call.params.id, detail: { ...call.body } },
        async (actor) => {
          const to = call.body?.to;
          const options = { by: actor.id, ...(to === undefined ? {} : { to }) };
          const report = await rollbackSource(deps, call.params.id, options);
          const { runId } = report;
          return { sourceId: call.params.id, runId, status: 'succeeded', reason: null, ...countsOf(report) };
        },
      ),
  }),
];

const NOTHING_MERGED = { entries: null, added: null, removed: null, changed: null };
const countsOf = (report: {
  readonly source: { readonly entries: number };
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}) => ({
  entries: report.source.entries,
  added: report.added,
  removed: report.removed,
  changed: report.changed,
});

async function describeAll(
  { system, clock }: PipelineDeps,
  id: string | null,
): Promise<z.output<typeof SourceView>[]> {
  return (await readFeedStatus(system.db, id)).map((source) => describeFeed(source, clock.now()));
}

async function describeOne(deps: PipelineDeps, id: string): Promise<z.output<typeof SourceView>> {
  const [source] = await describeAll(deps, id);
  if (source === undefined) throw notFound('Source', id);
  return source;
}

const submissionRoutes = (deps: PipelineDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/admin/submissions',
    summary: 'Sources that accounts proposed, oldest first.',
    tags: TAGS,
    policy: OPERATORS,
    query: SubmissionsQuery,
    reply: SubmissionPage,
    handle: async ({ query: { status } }) => {
      const found = await listSubmissions(deps.system, status === 'all' ? null : status);
      return { submissions: found.map(viewOf) };
    },
  }),
  route({
    method: 'PATCH',
    path: '/admin/submissions/:id',
    summary: 'Approve or reject a proposal.',
    description: 'An approved list becomes a source, which the worker fetches by its schedule.',
    tags: TAGS,
    policy: OPERATORS,
    params: IdParams,
    body: DecideBody,
    otherStatuses: { 409: 'The proposal was decided before, or a source has its id.' },
    reply: Decided,
    handle: (call) =>
      act(deps, call, { action: 'submission.decide', target: call.params.id, detail: call.body }, () =>
        decide(deps, call.params.id, call.body),
      ),
  }),
];

async function decide(
  deps: PipelineDeps,
  id: string,
  { status, sourceId, note }: z.output<typeof DecideBody>,
): Promise<z.output<typeof Decided>> {
  if (status === 'rejected') {
    if (note === undefined) throw badRequest('note: say why, for the record.');
    return { submission: viewOf(await rejectSubmission(deps, id, note)), sourceId: null };
  }
  const { submission, source } = await approveSubmission(deps, id, {
    ...(sourceId === undefined ? {} : { sourceId }),
    ...(note === undefined ? {} : { note }),
  });
  return { submission: viewOf(submission), sourceId: source.id };
}

const viewOf = ({ submittedAt, decidedAt, ...submission }: Submission): z.output<typeof SubmissionView> => ({
  ...submission,
  submittedAt: submittedAt.toISOString(),
  decidedAt: decidedAt?.toISOString() ?? null,
});
