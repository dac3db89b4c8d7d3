import { z } from 'zod';
import { type Cron, type Job, job } from '#platform/jobs.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { type AnswerDeps, answerRequest } from './answer-request.ts';
import { deleteEndedRegistrations, deleteEndedTokens, deleteOldRequests } from './store.ts';

export const ANSWER_JOB = 'accounts.answer';
const FORGET_JOB = 'accounts.forget';
const TIMEOUT_MS = 60_000;
/** Requests whose job gave up are erased after this time: their callers were answered long before. */
const REQUESTS_KEPT_MS = DAY_MS;

export const accountsWorkerPart = (
  deps: AnswerDeps,
): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: [
    job({
      name: ANSWER_JOB,
      schema: z.object({ id: z.string().max(64) }),
      timeoutMs: TIMEOUT_MS,
      run: ({ transaction }, { id }) => transaction((tx) => answerRequest(deps, tx, id)),
    }),
    job({
      name: FORGET_JOB,
      schema: z.object({}),
      timeoutMs: TIMEOUT_MS,
      run: async ({ transaction, log }) => {
        const nowMs = deps.clock.now();
        const rows = await transaction(
          async (tx) =>
            (await deleteEndedRegistrations(tx, nowMs)) +
            (await deleteEndedTokens(tx, nowMs)) +
            (await deleteOldRequests(tx, nowMs - REQUESTS_KEPT_MS)),
        );
        log.info({ rows }, 'accounts.forgotten');
      },
    }),
  ],
  crons: [{ job: FORGET_JOB, pattern: '23 * * * *', catchUpMs: HOUR_MS, maxAttempts: 3 }],
});
