import { z } from 'zod';
import { FAILING_MAX_MS } from '#domain/webhooks/index.ts';
import type { ReaderSpec } from '#platform/events.ts';
import { firstIdOf } from '#platform/ids.ts';
import { type Cron, type Job, type JobContext, job } from '#platform/jobs.ts';
import type { Log } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import { deleteOlder, replaySpan } from './delivery-store.ts';
import { endEndpoint } from './end-endpoint.ts';
import { plansReader } from './keep-to-plan.ts';
import { wakeLane } from './lane-store.ts';
import { type Sender, startSender } from './sender.ts';
import { selectFailing } from './store.ts';
import { KEPT_MS, REPLAY_JOB, type WebhooksWorkerDeps } from './webhooks-deps.ts';
import { webhooksReader } from './write-deliveries.ts';

const END_FAILING = 'webhooks.end-failing';
const FORGET = 'webhooks.forget';
const TIMEOUT_MS = 600_000;
const ROWS_AT_ONCE = 5_000;
const PARTS_MAX = 2_000;

const Span = z.object({
  endpointId: z.string().max(64),
  fromId: z.string().max(64),
  beforeId: z.string().max(64),
  statuses: z.array(z.enum(['skipped', 'failed', 'delivered'])).max(3),
});

export type WebhooksWorkerPart = {
  readonly jobs: readonly Job[];
  readonly crons: readonly Cron[];
  readonly readers: readonly ReaderSpec[];
  readonly loops: readonly ((own: { readonly postgres: Postgres; readonly log: Log }) => Sender)[];
};

export const webhooksWorkerPart = (deps: WebhooksWorkerDeps): WebhooksWorkerPart => ({
  jobs: [
    job({
      name: END_FAILING,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: (context) => endFailing(deps, context),
    }),
    job({
      name: REPLAY_JOB,
      schema: Span,
      timeoutMs: TIMEOUT_MS,
      run: async ({ transaction, log }, span) => {
        // One transaction, because a lane that saw only some of the deliveries would send newer events first.
        const deliveries = await transaction(async (tx) => {
          const rows = await replaySpan(tx, span);
          await wakeLane(tx, span.endpointId, deps.clock.now(), { isUrgent: false });
          return rows;
        });
        log.info({ webhookId: span.endpointId, deliveries }, 'webhooks.replayed');
      },
    }),
    job({
      name: FORGET,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: (context) => forget(deps, context),
    }),
  ],
  crons: [
    { job: END_FAILING, pattern: '* * * * *', maxAttempts: 1 },
    { job: FORGET, pattern: '52 * * * *', catchUpMs: HOUR_MS, maxAttempts: 3 },
  ],
  readers: [webhooksReader(deps), plansReader(deps)],
  loops: [(own) => startSender({ ...deps, ...own })],
});

/** An endpoint with nothing but failures for 120 hours is switched off, each in its own transaction with its letters. */
export async function endFailing(
  deps: WebhooksWorkerDeps,
  { transaction, log, signal }: Pick<JobContext, 'transaction' | 'log' | 'signal'>,
): Promise<void> {
  const sinceMs = deps.clock.now() - FAILING_MAX_MS;
  for (const endpoint of await transaction((tx) => selectFailing(tx, sinceMs, ROWS_AT_ONCE))) {
    signal.throwIfAborted();
    if (await transaction((tx) => endEndpoint(deps, tx, endpoint, 'failing')))
      log.info({ webhookId: endpoint.id }, 'webhooks.disabled');
  }
}

export async function forget(
  { clock }: WebhooksWorkerDeps,
  { transaction, log, signal }: Pick<JobContext, 'transaction' | 'log' | 'signal'>,
): Promise<void> {
  const beforeId = firstIdOf('dlv', clock.now() - KEPT_MS);
  let rows = 0;
  for (let part = 0; part < PARTS_MAX && !signal.aborted; part += 1) {
    const gone = await transaction((tx) => deleteOlder(tx, beforeId, ROWS_AT_ONCE));
    rows += gone;
    if (gone < ROWS_AT_ONCE) break;
  }
  log.info({ rows }, 'webhooks.forgotten');
}
