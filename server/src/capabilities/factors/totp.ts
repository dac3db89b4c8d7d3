import { randomBytes } from 'node:crypto';
import type { Actor } from '#capabilities/access/index.ts';
import { acceptedStep, describeTotp, TOTP_SECRET_BYTES } from '#domain/accounts/index.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import type { Db } from '#platform/postgres.ts';
import type { NewTotp } from './contract.ts';
import type { FactorsDeps } from './factors-deps.ts';
import { noteChange } from './note-change.ts';
import { forgetIdleCodes } from './recovery-codes.ts';
import {
  confirmTotp,
  countWrongCode,
  deleteTotp,
  forgetWrongCodes,
  lockPerson,
  lockTotp,
  putTotp,
  selectEmail,
  type TotpRow,
  useStep,
} from './store.ts';

/** How long a new secret waits for its first code. */
const CONFIRM_WITHIN_MS = 900_000;
/** Wrong codes in a row before codes are no longer accepted: guessing so often succeeds once in 3,300 times. */
const FAILURES_MAX = 100;

const contextOf = (userId: string): string => `totp:${userId}`;

/** A new secret. It is no factor before a first code of it was shown. */
export async function offerTotp(
  { system, clock, secrets, publicWebUrl }: FactorsDeps,
  userId: string,
): Promise<NewTotp> {
  const secret = randomBytes(TOTP_SECRET_BYTES);
  const email = await selectEmail(system.db, userId);
  if (email === undefined) throw notFound('User', userId);
  if (!(await putTotp(system.db, userId, secrets.seal(secret, contextOf(userId)), clock.now())))
    throw new ServiceError(
      'Conflict',
      'You have an authenticator app already. Remove it first (DELETE /api/auth/totp).',
    );
  return describeTotp(secret, { issuer: new URL(publicWebUrl).host, account: email });
}

/** False when the code is wrong. */
export async function addTotp(
  deps: FactorsDeps,
  userId: string,
  code: string,
  actor: Actor,
): Promise<boolean> {
  return deps.system.transaction(async (tx) => {
    await lockPerson(tx, userId);
    const row = await lockTotp(tx, userId);
    const nowMs = deps.clock.now();
    if (row === undefined || row.isConfirmed || nowMs - row.createdAt.getTime() > CONFIRM_WITHIN_MS)
      throw new ServiceError(
        'Conflict',
        'No authenticator app waits for its first code. Ask for a secret first (POST /api/auth/totp).',
      );
    if (!(await acceptCode(deps, tx, userId, row, code))) return false;
    await confirmTotp(tx, userId, nowMs);
    await noteChange(deps, tx, {
      userId,
      actor,
      action: 'factor.add',
      target: userId,
      detail: { factor: 'totp' },
      what: 'An authenticator app was added.',
    });
    return true;
  });
}

export async function removeTotp(deps: FactorsDeps, userId: string, actor: Actor): Promise<void> {
  await deps.system.transaction(async (tx) => {
    await lockPerson(tx, userId);
    const removed = await deleteTotp(tx, userId);
    if (removed === undefined) throw new ServiceError('Not Found', 'You have no authenticator app.');
    if (!removed.wasConfirmed) return;
    await forgetIdleCodes(tx, userId);
    await noteChange(deps, tx, {
      userId,
      actor,
      action: 'factor.remove',
      target: userId,
      detail: { factor: 'totp' },
      what: 'The authenticator app was removed.',
    });
  });
}

/** Uses up a code; true for exactly one of several simultaneous requests with it. */
export async function useCode(
  deps: FactorsDeps,
  userId: string,
  code: string,
  actor: Actor,
): Promise<boolean> {
  const outcome = await deps.system.transaction(async (tx) => {
    const row = await lockTotp(tx, userId);
    if (row === undefined || !row.isConfirmed) return 'wrong';
    if (row.failures >= FAILURES_MAX) return 'locked';
    if (await acceptCode(deps, tx, userId, row, code)) return 'right';
    if ((await countWrongCode(tx, userId)) >= FAILURES_MAX) await noteLock(deps, tx, userId, actor);
    return 'wrong';
  });
  if (outcome === 'locked')
    throw new ServiceError(
      'Forbidden',
      `Codes are no longer accepted after ${FAILURES_MAX} wrong ones. Use a passkey or a recovery code, or ask the operator of this service.`,
    );
  return outcome === 'right';
}

async function acceptCode(
  deps: FactorsDeps,
  tx: Db,
  userId: string,
  row: TotpRow,
  code: string,
): Promise<boolean> {
  const secret = deps.secrets.open(row.sealed, contextOf(userId));
  if (secret === null)
    throw new ServiceError(
      'Conflict',
      'The secret of your authenticator app can no longer be read here. Use a passkey or a recovery code, and set the app up again.',
    );
  const step = acceptedStep(secret, code, { nowMs: deps.clock.now(), lastStep: row.lastStep });
  if (step === null) return false;
  await useStep(tx, userId, step);
  await forgetWrongCodes(tx, userId);
  return true;
}

const noteLock = (deps: FactorsDeps, tx: Db, userId: string, actor: Actor): Promise<void> =>
  noteChange(deps, tx, {
    userId,
    actor,
    action: 'factor.lock',
    target: userId,
    detail: { factor: 'totp' },
    what: `Codes of your authenticator app are off after ${FAILURES_MAX} wrong ones. Change your password.`,
  });
