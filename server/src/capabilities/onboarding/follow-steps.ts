import type { Clock } from '#platform/clock.ts';
import { badRequest } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import type { Onboarding, TickBody } from './contract.ts';
import { isTicked, PROVEN_STEPS, STEP_LABELS, type StepAccount, stepsOf } from './steps.ts';
import { addDone, type Progress, removeDone, selectProgress, selectProofs } from './store.ts';

export type OnboardingDeps = {
  readonly clock: Clock;
  readonly postgres: Pick<Postgres, 'withAccount'>;
  readonly accountOf: (principal: Principal) => StepAccount;
};

export const readSteps = (deps: OnboardingDeps, principal: Principal): Promise<Onboarding> =>
  deps.postgres.withAccount(principal.accountId, (tx) => follow(deps, tx, principal));

export async function tickStep(
  deps: OnboardingDeps,
  principal: Principal,
  { step, done }: TickBody,
): Promise<Onboarding> {
  if (!isTicked(step))
    throw badRequest(
      `step: '${step}' is ticked by itself once your account has done it ("${STEP_LABELS[step]}").`,
    );
  const { accountId } = principal;
  return deps.postgres.withAccount(accountId, async (tx) => {
    if (done) await addDone(tx, accountId, [step], null);
    else await removeDone(tx, accountId, step);
    return follow(deps, tx, principal);
  });
}

/** Reads which steps are done, and writes only those that are proven for the first time. */
async function follow(
  { clock, accountOf }: OnboardingDeps,
  tx: Db,
  principal: Principal,
): Promise<Onboarding> {
  const { accountId } = principal;
  const steps = stepsOf(accountOf(principal));
  let progress: Progress = await selectProgress(tx, accountId);
  if (progress.completedAtMs === null || !steps.every((step) => progress.done.includes(step))) {
    const proofs = await selectProofs(tx, accountId);
    const proven = PROVEN_STEPS.filter((step) => proofs[step] && !progress.done.includes(step));
    const isComplete = steps.every(
      (step) => progress.done.includes(step) || (proven as readonly string[]).includes(step),
    );
    if (proven.length > 0 || (isComplete && progress.completedAtMs === null))
      progress = await addDone(tx, accountId, proven, isComplete ? clock.now() : null);
  }
  return {
    steps: steps.map((id) => ({ id, label: STEP_LABELS[id], done: progress.done.includes(id) })),
    completedAt: progress.completedAtMs === null ? null : new Date(progress.completedAtMs).toISOString(),
  };
}
