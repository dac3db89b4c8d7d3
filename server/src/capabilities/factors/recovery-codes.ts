import { hash, randomBytes } from 'node:crypto';
import type { Actor } from '#capabilities/access/index.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Db } from '#platform/postgres.ts';
import { RECOVERY_CODES, type RecoveryCodes } from './contract.ts';
import type { FactorsDeps } from './factors-deps.ts';
import { noteChange } from './note-change.ts';
import {
  deleteRecoveryCodes,
  type FactorState,
  forgetWrongCodes,
  insertRecoveryCodes,
  lockPerson,
  selectState,
  takeRecoveryCode,
} from './store.ts';

const CODE_CHARS = 16;
/** Without 0, 1, i, l, o and u: they are misread or spell words. Each of the 30 characters carries 4.9 bits. */
const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz';
/** Bytes from here on are not used: 256 is no multiple of 30, so they would make the first letters likelier. */
const BYTE_LIMIT = 256 - (256 % ALPHABET.length);

/** Recovery codes replace a factor, so without one they mean nothing. */
export const hasFactor = ({ passkeys, hasTotp }: FactorState): boolean => passkeys > 0 || hasTotp;

export async function renewRecoveryCodes(
  deps: FactorsDeps,
  userId: string,
  actor: Actor,
): Promise<RecoveryCodes> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  const hashes = codes.map((code) => codeHash(userId, code));
  return deps.system.transaction(async (tx) => {
    await lockPerson(tx, userId);
    if (!hasFactor(await selectState(tx, userId)))
      throw new ServiceError(
        'Conflict',
        'Recovery codes stand in for a second factor, and you have none. Add a passkey or an authenticator app first.',
      );
    await deleteRecoveryCodes(tx, userId);
    await insertRecoveryCodes(tx, userId, hashes, deps.clock.now());
    await noteChange(deps, tx, {
      userId,
      actor,
      action: 'recovery.create',
      target: userId,
      detail: {},
      what: 'New recovery codes were made. The earlier ones no longer work.',
    });
    return { codes };
  });
}

export const useRecoveryCode = (
  deps: FactorsDeps,
  userId: string,
  code: string,
  actor: Actor,
): Promise<boolean> =>
  deps.system.transaction(async (tx) => {
    if (!(await takeRecoveryCode(tx, userId, codeHash(userId, code)))) return false;
    await forgetWrongCodes(tx, userId);
    const { recoveryCodes } = await selectState(tx, userId);
    await noteChange(deps, tx, {
      userId,
      actor,
      action: 'recovery.use',
      target: userId,
      detail: {},
      what: `A recovery code was used; ${recoveryCodes} are left.`,
    });
    return true;
  });

/** Deletes the recovery codes when no factor is left; runs in the transaction that removed one. */
export async function forgetIdleCodes(tx: Db, userId: string): Promise<void> {
  if (!hasFactor(await selectState(tx, userId))) await deleteRecoveryCodes(tx, userId);
}

function newCode(): string {
  let code = '';
  while (code.length < CODE_CHARS)
    for (const byte of randomBytes(CODE_CHARS))
      if (byte < BYTE_LIMIT && code.length < CODE_CHARS) code += ALPHABET.charAt(byte % ALPHABET.length);
  return code.replace(/(.{4})(?=.)/g, '$1-');
}

/** Ignores case and all signs but letters and digits, so that a code may be typed without its dashes. */
const codeHash = (userId: string, code: string): Buffer =>
  hash('sha256', `${userId}:${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`, 'buffer');
