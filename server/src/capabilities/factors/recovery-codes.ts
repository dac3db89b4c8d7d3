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
/** Without 0, 1, i, l, o and u, which people read as others or as words. 30 letters and digits are 4.9 bits each. */
const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz';
/** The largest multiple of the alphabet in a byte: other bytes would make its first letters likelier. */
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

/** Part of a transaction that removed a factor. */
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

/** As it was typed: without the dashes, and in any case. */
const codeHash = (userId: string, code: string): Buffer =>
  hash('sha256', `${userId}:${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`, 'buffer');
