import { type Actor, endPersonSessions } from '#capabilities/access/index.ts';
import { ServiceError } from '#platform/errors.ts';
import type {
  AssertionOptions,
  AssertionResponse,
  CreationOptions,
  CreationResponse,
  FactorName,
  NewTotp,
  RecoveryCodes,
} from './contract.ts';
import { PASSKEYS_MAX } from './contract.ts';
import type { FactorsDeps } from './factors-deps.ts';
import { noteChange } from './note-change.ts';
import { addPasskey, offerAssertion, offerCreation, removePasskey, usePasskey } from './passkeys.ts';
import { hasFactor, renewRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';
import {
  deletePasskeys,
  deleteRecoveryCodes,
  deleteTokensOf,
  deleteTotp,
  type FactorState,
  insertToken,
  lockPerson,
  type PasskeyRow,
  selectPasskeys,
  selectState,
  takeTicket,
  tryTicket,
} from './store.ts';
import { newToken, TOKEN_LIFE_MS, tokenHash, tokenText } from './tokens.ts';
import { addTotp, offerTotp, removeTotp, useCode } from './totp.ts';

/** The factor that a person shows: exactly one of these fields is set. */
export type Shown = {
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
  readonly passkey?: AssertionResponse | undefined;
};

/**
 * Everything that the service reads and writes about the second factors of a person. Requests get these functions and never
 * the connections behind them.
 */
export type Factors = {
  /** The factors that a person can show after the password; empty where none is set. */
  readonly needed: (userId: string) => Promise<readonly FactorName[]>;
  readonly describe: (
    userId: string,
  ) => Promise<{ readonly state: FactorState; readonly passkeys: readonly PasskeyRow[] }>;
  /** Opens a ticket, with which a person whose password was right can show the second factor. */
  readonly openTicket: (userId: string) => Promise<{ readonly ticket: string; readonly expiresAtMs: number }>;
  /** The person of an open ticket; null when it is unknown, used, too old or was tried too often. */
  readonly tryTicket: (ticket: string) => Promise<string | null>;
  /** False: another request has used it. */
  readonly takeTicket: (ticket: string) => Promise<boolean>;
  /** Checks a shown factor: its name when it is accepted, else an error whose reason is for the log. */
  readonly prove: (userId: string, shown: Shown, actor: Actor) => Promise<FactorName | Error>;
  readonly offerCreation: (userId: string) => Promise<CreationOptions>;
  readonly addPasskey: (
    userId: string,
    made: { readonly label?: string | undefined; readonly passkey: CreationResponse },
    actor: Actor,
  ) => Promise<PasskeyRow>;
  readonly removePasskey: (userId: string, id: string, actor: Actor) => Promise<void>;
  readonly offerAssertion: () => Promise<AssertionOptions>;
  /** The person who signs in with a passkey alone, or an error whose reason is for the log. */
  readonly whoHolds: (response: AssertionResponse, actor: Actor) => Promise<string | Error>;
  readonly offerTotp: (userId: string) => Promise<NewTotp>;
  /** False when the code is wrong. */
  readonly addTotp: (userId: string, code: string, actor: Actor) => Promise<boolean>;
  readonly removeTotp: (userId: string, actor: Actor) => Promise<void>;
  readonly renewRecoveryCodes: (userId: string, actor: Actor) => Promise<RecoveryCodes>;
};

/** Leaves room for typing mistakes; guessing is also limited per account (`FactorThrottle`). */
const TICKET_TRIES_MAX = 5;

export function openFactors(deps: FactorsDeps): Factors {
  const { system, clock } = deps;
  return {
    needed: async (userId) => namesOf(await selectState(system.db, userId)),
    describe: async (userId) => ({
      state: await selectState(system.db, userId),
      passkeys: await selectPasskeys(system.db, userId, PASSKEYS_MAX),
    }),
    openTicket: async (userId) => {
      const ticket = tokenText(newToken());
      const expiresAtMs = clock.now() + TOKEN_LIFE_MS;
      const row = { tokenHash: tokenHash(ticket), kind: 'ticket', userId } as const;
      await insertToken(system.db, row, clock.now(), expiresAtMs);
      return { ticket, expiresAtMs };
    },
    tryTicket: async (ticket) =>
      (await tryTicket(system.db, tokenHash(ticket), TICKET_TRIES_MAX, clock.now())) ?? null,
    takeTicket: (ticket) => takeTicket(system.db, tokenHash(ticket)),
    prove: (userId, shown, actor) => prove(deps, userId, shown, actor),
    offerCreation: (userId) => offerCreation(deps, userId),
    addPasskey: (userId, made, actor) => addPasskey(deps, userId, made, actor),
    removePasskey: (userId, id, actor) => removePasskey(deps, userId, id, actor),
    offerAssertion: () => offerAssertion(deps),
    whoHolds: (response, actor) => usePasskey(deps, response, null, actor),
    offerTotp: (userId) => offerTotp(deps, userId),
    addTotp: (userId, code, actor) => addTotp(deps, userId, code, actor),
    removeTotp: (userId, actor) => removeTotp(deps, userId, actor),
    renewRecoveryCodes: (userId, actor) => renewRecoveryCodes(deps, userId, actor),
  };
}

async function prove(
  deps: FactorsDeps,
  userId: string,
  { code, recoveryCode, passkey }: Shown,
  actor: Actor,
): Promise<FactorName | Error> {
  if (passkey !== undefined) {
    const holder = await usePasskey(deps, passkey, userId, actor);
    return holder instanceof Error ? holder : 'passkey';
  }
  if (code !== undefined)
    return (await useCode(deps, userId, code, actor)) ? 'totp' : new Error('the code is wrong or was used');
  return recoveryCode !== undefined && (await useRecoveryCode(deps, userId, recoveryCode, actor))
    ? 'recovery'
    : new Error('the recovery code is wrong or was used');
}

function namesOf(state: FactorState): readonly FactorName[] {
  if (!hasFactor(state)) return [];
  return [
    ...(state.hasTotp ? ['totp' as const] : []),
    ...(state.passkeys > 0 ? ['passkey' as const] : []),
    ...(state.recoveryCodes > 0 ? ['recovery' as const] : []),
  ];
}

/** For operators, when a person has lost everything: their password alone signs in again. All of their sessions end. */
export async function resetFactors(
  deps: Pick<FactorsDeps, 'system' | 'clock' | 'letters'>,
  actor: Actor,
  userId: string,
): Promise<FactorState> {
  return deps.system.transaction(async (tx) => {
    await lockPerson(tx, userId);
    const before = await selectState(tx, userId);
    if (!hasFactor(before)) throw new ServiceError('Conflict', 'This person has no second factor.');
    await deletePasskeys(tx, userId);
    await deleteTotp(tx, userId);
    await deleteRecoveryCodes(tx, userId);
    await deleteTokensOf(tx, userId);
    await endPersonSessions(tx, userId, actor, deps.clock.now());
    await noteChange(deps, tx, {
      userId,
      actor,
      action: 'factor.reset',
      target: userId,
      detail: {},
      what: 'The operator of this service removed all of your second factors.',
    });
    return before;
  });
}
