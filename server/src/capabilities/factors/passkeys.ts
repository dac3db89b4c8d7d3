import { type Actor, recordAudit } from '#capabilities/access/index.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { Db } from '#platform/postgres.ts';
import {
  type AssertionOptions,
  type AssertionResponse,
  type CreationOptions,
  type CreationResponse,
  PASSKEYS_MAX,
} from './contract.ts';
import type { FactorsDeps } from './factors-deps.ts';
import { noteChange } from './note-change.ts';
import { forgetIdleCodes } from './recovery-codes.ts';
import {
  countPasskeyUse,
  deletePasskey,
  findPasskey,
  forgetWrongCodes,
  insertPasskey,
  insertToken,
  lockPerson,
  type PasskeyRow,
  selectEmail,
  selectPasskeys,
  takeChallenge,
} from './store.ts';
import { newToken, TOKEN_LIFE_MS, tokenHash, tokenText } from './tokens.ts';
import {
  assertionOptions,
  creationOptions,
  readAssertion,
  readCreation,
  relyingPartyOf,
} from './web-authn.ts';

const DEFAULT_LABEL = 'Passkey';

export async function offerCreation(deps: FactorsDeps, userId: string): Promise<CreationOptions> {
  const party = relyingPartyOf(deps.publicWebUrl);
  const passkeys = await selectPasskeys(deps.system.db, userId, PASSKEYS_MAX);
  if (passkeys.length >= PASSKEYS_MAX) throw tooManyPasskeys();
  const email = await selectEmail(deps.system.db, userId);
  if (email === undefined) throw notFound('User', userId);
  const challenge = await newChallenge(deps, 'register', userId);
  return creationOptions(party, challenge, { userId, email, passkeys });
}

export async function offerAssertion(deps: FactorsDeps): Promise<AssertionOptions> {
  const party = relyingPartyOf(deps.publicWebUrl);
  return assertionOptions(party, await newChallenge(deps, 'assert', null));
}

export async function addPasskey(
  deps: FactorsDeps,
  userId: string,
  {
    label = DEFAULT_LABEL,
    passkey: response,
  }: { readonly label?: string | undefined; readonly passkey: CreationResponse },
  actor: Actor,
): Promise<PasskeyRow> {
  const party = relyingPartyOf(deps.publicWebUrl);
  const nowMs = deps.clock.now();
  const made = await readCreation(party, response, (challenge) =>
    takeChallenge(
      deps.system.db,
      { tokenHash: tokenHash(challenge), kind: 'register', userId },
      deps.clock.now(),
    ),
  );
  if (made instanceof Error)
    throw new ServiceError(
      'Bad Request',
      'This passkey was not accepted. Ask for new options (POST /api/auth/passkeys/options) and try again.',
      { cause: made },
    );
  const row = {
    ...made,
    id: newId('psk', nowMs),
    userId,
    label,
    transports: response.response.transports ?? [],
  };
  return deps.system.transaction(async (tx) => {
    await lockPerson(tx, userId);
    if ((await selectPasskeys(tx, userId, PASSKEYS_MAX)).length >= PASSKEYS_MAX) throw tooManyPasskeys();
    if (!(await insertPasskey(tx, row, nowMs)))
      throw new ServiceError('Conflict', 'This passkey is registered already.');
    await noteChange(deps, tx, {
      userId,
      actor,
      action: 'factor.add',
      target: row.id,
      detail: { factor: 'passkey' },
      what: 'A passkey was added.',
    });
    return { ...row, createdAt: new Date(nowMs), lastUsedAt: null };
  });
}

export async function removePasskey(
  deps: FactorsDeps,
  userId: string,
  id: string,
  actor: Actor,
): Promise<void> {
  await deps.system.transaction(async (tx) => {
    await lockPerson(tx, userId);
    if ((await deletePasskey(tx, userId, id)) === undefined) throw notFound('Passkey', id);
    await forgetIdleCodes(tx, userId);
    await noteChange(deps, tx, {
      userId,
      actor,
      action: 'factor.remove',
      target: id,
      detail: { factor: 'passkey' },
      what: 'A passkey was removed.',
    });
  });
}

/** The owner of a genuine passkey (of any person when `userId` is null), or an error whose reason is for the log. */
export async function usePasskey(
  deps: FactorsDeps,
  response: AssertionResponse,
  userId: string | null,
  actor: Actor,
): Promise<string | Error> {
  const party = relyingPartyOf(deps.publicWebUrl);
  const passkey = await findPasskey(deps.system.db, Buffer.from(response.id, 'base64url'));
  if (passkey === undefined || (userId !== null && passkey.userId !== userId))
    return new Error('the passkey is unknown, or of another person');
  const genuine = await readAssertion(party, response, passkey, (challenge) =>
    takeChallenge(
      deps.system.db,
      { tokenHash: tokenHash(challenge), kind: 'assert', userId: null },
      deps.clock.now(),
    ),
  );
  if (genuine instanceof Error) return genuine;
  return deps.system.transaction(async (tx) => {
    if (await countPasskeyUse(tx, passkey.id, genuine.counter, deps.clock.now())) {
      await forgetWrongCodes(tx, passkey.userId);
      return passkey.userId;
    }
    await noteCopy(deps, tx, passkey, actor);
    return new Error('the counter of the passkey did not rise: it was copied');
  });
}

const noteCopy = ({ clock }: FactorsDeps, tx: Db, { id, userId }: PasskeyRow, actor: Actor): Promise<void> =>
  recordAudit(tx, {
    accountId: userId,
    actor,
    action: 'factor.refuse',
    target: id,
    before: null,
    after: null,
    detail: { factor: 'passkey', reason: 'its counter did not rise' },
    nowMs: clock.now(),
  });

async function newChallenge(
  { system, clock }: FactorsDeps,
  kind: 'register' | 'assert',
  userId: string | null,
): Promise<Buffer> {
  const challenge = newToken();
  const nowMs = clock.now();
  const row = { tokenHash: tokenHash(tokenText(challenge)), kind, userId };
  await insertToken(system.db, row, nowMs, nowMs + TOKEN_LIFE_MS);
  return challenge;
}

const tooManyPasskeys = (): ServiceError =>
  new ServiceError('Conflict', `You have ${PASSKEYS_MAX} passkeys. Remove one that you do not use.`);
