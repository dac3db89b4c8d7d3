import { type Actor, recordAudit } from '#capabilities/access/index.ts';
import type { Db } from '#platform/postgres.ts';
import type { FactorsDeps } from './factors-deps.ts';
import { selectEmail } from './store.ts';

export type FactorChange = {
  readonly userId: string;
  readonly actor: Actor;
  readonly action:
    | 'factor.add'
    | 'factor.remove'
    | 'factor.reset'
    | 'factor.lock'
    | 'recovery.create'
    | 'recovery.use';
  readonly target: string;
  readonly detail: Readonly<Record<string, string>>;
  /** A sentence for the letter. */
  readonly what: string;
};

/** Part of the transaction of a change: the audit entry, and the letter that tells the person at once. */
export async function noteChange(
  { clock, letters }: Pick<FactorsDeps, 'clock' | 'letters'>,
  tx: Db,
  { userId, what, ...entry }: FactorChange,
): Promise<void> {
  const nowMs = clock.now();
  await recordAudit(tx, { ...entry, accountId: userId, before: null, after: null, nowMs });
  const email = await selectEmail(tx, userId);
  if (email === undefined) throw new Error('The person whose factors were just changed is missing.');
  await letters.enqueueLetter(tx, {
    to: email,
    kind: 'factor-changed',
    facts: { what, when: new Date(nowMs).toISOString() },
    accountId: userId,
  });
}
