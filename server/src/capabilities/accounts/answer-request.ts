import { recordAudit } from '#capabilities/access/index.ts';
import type { Letters } from '#capabilities/letters/index.ts';
import type { Clock } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import type { Db } from '#platform/postgres.ts';
import {
  deleteOldestRegistrations,
  findPerson,
  insertRegistration,
  insertToken,
  type Person,
  type RequestRow,
  replaceRegistrationToken,
  takeRequest,
} from './store.ts';
import { LINK_LIFE_MS, linkTo, newToken, tokenHash } from './tokens.ts';

export type AnswerDeps = {
  readonly clock: Clock;
  readonly letters: Pick<Letters, 'enqueueLetter'>;
  readonly publicWebUrl: string;
};

/** The maximum of unconfirmed registrations of one address at a time. */
const REGISTRATIONS_PER_ADDRESS = 3;

/**
 * Answers what a caller without an account asked for, in a job. Only here is the address looked up: the caller was answered
 * before, with the same words and after the same work for every address, and the letter says what happened.
 */
export async function answerRequest(deps: AnswerDeps, tx: Db, id: string): Promise<void> {
  const asked = await takeRequest(tx, id);
  if (asked === undefined) return;
  const person = await findPerson(tx, asked.email);
  if (asked.kind === 'sign-in-failed') return noteFailure(deps, tx, asked, person);
  if (person !== undefined && (person.phc !== null || asked.kind === 'forgot'))
    return answerKnown(deps, tx, asked, person);
  if (asked.kind === 'register') return startRegistration(deps, tx, asked);
  if (await repeatVerification(deps, tx, asked.email)) return;
  if (person?.isUnclaimed === true) await sendClaim(deps, tx, asked.email, person.userId);
}

async function answerKnown(deps: AnswerDeps, tx: Db, asked: RequestRow, person: Person): Promise<void> {
  const { email } = asked;
  if (person.isUnclaimed) return sendClaim(deps, tx, email, person.userId);
  if (asked.kind !== 'forgot')
    return deps.letters.enqueueLetter(tx, { to: email, kind: 'address-taken', facts: {} });
  const token = newToken();
  const nowMs = deps.clock.now();
  const row = { tokenHash: tokenHash(token), kind: 'reset', userId: person.userId } as const;
  await insertToken(tx, row, nowMs, nowMs + LINK_LIFE_MS.reset);
  const link = linkTo(deps.publicWebUrl, 'reset', token);
  await deps.letters.enqueueLetter(tx, {
    to: email,
    kind: 'reset-password',
    facts: { link },
    accountId: person.userId,
  });
}

async function startRegistration(deps: AnswerDeps, tx: Db, { email, phc }: RequestRow): Promise<void> {
  if (phc === null) return;
  const token = newToken();
  const nowMs = deps.clock.now();
  const row = { id: newId('reg', nowMs), email, phc, tokenHash: tokenHash(token) };
  await insertRegistration(tx, row, nowMs, nowMs + LINK_LIFE_MS.verify);
  await deleteOldestRegistrations(tx, email, REGISTRATIONS_PER_ADDRESS);
  await sendVerification(deps, tx, email, token);
}

async function repeatVerification(deps: AnswerDeps, tx: Db, email: string): Promise<boolean> {
  const token = newToken();
  const nowMs = deps.clock.now();
  const isWaiting = await replaceRegistrationToken(
    tx,
    email,
    tokenHash(token),
    nowMs,
    nowMs + LINK_LIFE_MS.verify,
  );
  if (isWaiting) await sendVerification(deps, tx, email, token);
  return isWaiting;
}

const sendVerification = ({ letters, publicWebUrl }: AnswerDeps, tx: Db, email: string, token: string) =>
  letters.enqueueLetter(tx, {
    to: email,
    kind: 'verify-address',
    facts: { link: linkTo(publicWebUrl, 'verify', token) },
  });

/** The link that makes the account of an instant key the account of the mailbox's owner. */
export async function sendClaim(deps: AnswerDeps, tx: Db, email: string, userId: string): Promise<void> {
  const token = newToken();
  const nowMs = deps.clock.now();
  await insertToken(
    tx,
    { tokenHash: tokenHash(token), kind: 'claim', userId },
    nowMs,
    nowMs + LINK_LIFE_MS.claim,
  );
  const link = linkTo(deps.publicWebUrl, 'claim', token);
  await deps.letters.enqueueLetter(tx, { to: email, kind: 'claim-keys', facts: { link }, accountId: userId });
}

/** Records a failed request. Nothing is recorded for an address without an account, because it has no audit trail. */
async function noteFailure(
  { clock }: AnswerDeps,
  tx: Db,
  { ip, requestId }: RequestRow,
  person: Person | undefined,
): Promise<void> {
  if (person === undefined) return;
  await recordAudit(tx, {
    accountId: person.userId,
    actor: { kind: 'anonymous', id: ip, ip, requestId },
    action: 'session.refuse',
    target: person.userId,
    before: null,
    after: null,
    detail: { method: 'password', reason: 'wrong password' },
    nowMs: clock.now(),
  });
}
