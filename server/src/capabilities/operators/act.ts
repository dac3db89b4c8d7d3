import { type Actor, actorOf } from '#capabilities/access/index.ts';
import type { Clock } from '#platform/clock.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Call } from '#platform/http/route.ts';
import { newId } from '#platform/ids.ts';
import type { Postgres } from '#platform/postgres.ts';
import { finishAct, insertAct, type Outcome } from './store.ts';

export type ActDeps = { readonly system: Postgres; readonly clock: Clock };

export type Deed = {
  /** Noun, then verb: `source.release`. */
  readonly action: string;
  readonly target: string;
  /** The parameters of the act; never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>;
};

const REASON_CHARS_MAX = 300;
const TARGET_CHARS_MAX = 200;

/** Records an act before it is done, so that every act has a row. Gives the id of the row. */
export async function beginAct(
  { system, clock }: ActDeps,
  { id: operator, ip, requestId }: Actor,
  { action, target, detail = {} }: Deed,
): Promise<string> {
  const nowMs = clock.now();
  const id = newId('act', nowMs);
  const shown = target.slice(0, TARGET_CHARS_MAX);
  await insertAct(system.db, { id, operator, action, target: shown, detail, ip, requestId }, nowMs);
  return id;
}

export type End = { readonly outcome: Outcome; readonly reason: string | null };
export const DONE: End = { outcome: 'done', reason: null };

export const endAct = ({ system, clock }: ActDeps, id: string, { outcome, reason }: End): Promise<void> =>
  finishAct(
    system.db,
    id,
    { outcome, reason: reason === null ? null : reason.slice(0, REASON_CHARS_MAX) },
    clock.now(),
  );

/**
 * Runs an act of an operator and records its outcome. If it concerns an account, its use case also writes to the audit
 * trail of that account.
 */
export async function act<T>(
  deps: ActDeps,
  call: Pick<Call, 'principal' | 'request'>,
  deed: Deed,
  work: (actor: Actor) => Promise<T>,
): Promise<T> {
  const actor = actorOf(call.principal, call.request);
  const id = await beginAct(deps, actor, deed);
  try {
    const result = await work(actor);
    await endAct(deps, id, DONE);
    return result;
  } catch (error) {
    const outcome = error instanceof ServiceError ? 'refused' : 'failed';
    // The failure itself matters more than its record, which then shows an act without an outcome.
    await endAct(deps, id, { outcome, reason: String((error as Error).message) }).catch(() => undefined);
    throw error;
  }
}
