import { z } from 'zod';
import { type Actor, recordAudit } from '#capabilities/access/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Dns } from '#platform/dns.ts';
import { type Cron, type Job, type JobContext, job } from '#platform/jobs.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { deleteEnded } from './identity-store.ts';
import { findProof } from './prove-domain.ts';
import { deleteProviderSessions, endProof, noteProof, selectProven } from './store.ts';

const FORGET_JOB = 'sso.forget';
const PROOF_JOB = 'sso.prove-domains';
const FORGET_TIMEOUT_MS = 60_000;
const PROOF_TIMEOUT_MS = HOUR_MS;
const PAGE_ROWS = 100;
/** A domain may be sold, so a proof ends without its DNS record; a record lost by mistake has a week to come back. */
const LOST_PROOF_KEPT_MS = 7 * DAY_MS;
const SYSTEM: Actor = { kind: 'system', id: 'sso', ip: '', requestId: '' };

export type SsoWorkerDeps = { readonly clock: Clock; readonly dns: Dns };

export const ssoWorkerPart = (
  deps: SsoWorkerDeps,
): { readonly jobs: readonly Job[]; readonly crons: readonly Cron[] } => ({
  jobs: [
    job({
      name: FORGET_JOB,
      schema: z.object({}),
      timeoutMs: FORGET_TIMEOUT_MS,
      run: async ({ transaction, log }) => {
        const rows = await transaction((tx) => deleteEnded(tx, deps.clock.now()));
        log.info({ rows }, 'sso.forgotten');
      },
    }),
    job({
      name: PROOF_JOB,
      schema: z.object({}),
      timeoutMs: PROOF_TIMEOUT_MS,
      run: async (context) => {
        context.log.info(await proveDomains(deps, context), 'sso.domains-proven');
      },
    }),
  ],
  crons: [
    { job: FORGET_JOB, pattern: '41 * * * *', catchUpMs: HOUR_MS, maxAttempts: 3 },
    { job: PROOF_JOB, pattern: '13 5 * * *', catchUpMs: DAY_MS, maxAttempts: 3 },
  ],
});

/** Checks the DNS record of every proven domain. Name servers that do not answer change nothing. */
export async function proveDomains(
  { clock, dns }: SsoWorkerDeps,
  { transaction, signal }: Pick<JobContext, 'transaction' | 'signal'>,
): Promise<{ readonly proven: number; readonly missing: number; readonly ended: number }> {
  const figures = { proven: 0, missing: 0, ended: 0 };
  for (let after = ''; ; ) {
    const page = await transaction((tx) => selectProven(tx, after, PAGE_ROWS));
    for (const { accountId, emailDomain, proofToken: token } of page) {
      signal.throwIfAborted();
      const proof = await findProof(dns, emailDomain, token);
      if (proof === 'unknown') continue;
      const isShown = proof === 'shown';
      figures[isShown ? 'proven' : 'missing'] += 1;
      const nowMs = clock.now();
      await transaction(async (tx) => {
        if (!(await noteProof(tx, accountId, { token, isShown, keptMs: LOST_PROOF_KEPT_MS }, nowMs))) return;
        figures.ended += 1;
        await endProof(tx, accountId, nowMs);
        await deleteProviderSessions(tx, accountId, '');
        const detail = { domain: emailDomain };
        const states = { before: { emailDomain }, after: null };
        await recordAudit(tx, {
          accountId,
          actor: SYSTEM,
          action: 'sso.domain-lost',
          target: accountId,
          ...states,
          detail,
          nowMs,
        });
      });
    }
    if (page.length < PAGE_ROWS) return figures;
    after = page.at(-1)?.accountId ?? '';
  }
}
