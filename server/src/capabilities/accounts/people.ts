import type { Actor, RevealedKey } from '#capabilities/access/index.ts';
import { newId } from '#platform/ids.ts';
import { enqueue } from '#platform/jobs.ts';
import { claimAccount } from './claim-account.ts';
import { completeRegistration } from './complete-registration.ts';
import { createInstantKey } from './create-instant-key.ts';
import { ANSWER_JOB } from './jobs.ts';
import type { PeopleDeps } from './people-deps.ts';
import { setPassword } from './set-password.ts';
import {
  findPerson,
  findRegistration,
  findTokenUser,
  insertRequest,
  type Person,
  type PersonAccount,
  type PersonFacts,
  type Registration,
  type RequestRow,
  replaceHash,
  selectOrganizationsOf,
  selectPerson,
  type TokenKind,
} from './store.ts';
import { tokenHash } from './tokens.ts';

export type Asked = Pick<RequestRow, 'kind' | 'email' | 'ip' | 'requestId'> & { readonly phc?: string };

/**
 * Everything that the service reads and writes about a person across accounts. Requests get these functions and never the
 * connections behind them. A token that is unknown, used or too old gives null.
 */
export type People = {
  /**
   * Stores a request of a caller without an account, which a job answers. Runs the same two statements for every
   * address, so that the time does not tell whether an account exists.
   */
  readonly ask: (asked: Asked) => Promise<void>;
  readonly find: (email: string) => Promise<Person | undefined>;
  readonly describe: (
    userId: string,
  ) => Promise<{ readonly person: PersonFacts; readonly organizations: readonly PersonAccount[] } | null>;
  readonly rehash: (userId: string, before: string, after: string) => Promise<void>;
  readonly registrationOf: (token: string) => Promise<Registration | undefined>;
  /** Completes a registration; returns the user, whose address and password are proven now. */
  readonly completeRegistration: (token: string, actor: Actor) => Promise<string | null>;
  /** The user whom an unused token is for. */
  readonly userOfToken: (kind: TokenKind, token: string) => Promise<string | null>;
  /** Sets a new password and ends all sessions of its user; returns the user. */
  readonly setPassword: (token: string, phc: string, actor: Actor) => Promise<string | null>;
  /** Null when the address already has an account. */
  readonly createInstantKey: (email: string, actor: Actor) => Promise<RevealedKey | null>;
  readonly claim: (
    token: string,
    phc: string,
    actor: Actor,
  ) => Promise<{ readonly userId: string; readonly key: RevealedKey } | null>;
};

const ORGANIZATIONS_MAX = 200;
const ANSWER_ATTEMPTS_MAX = 10;

export function openPeople(deps: PeopleDeps): People {
  const { system, clock } = deps;
  return {
    ask: (asked) =>
      system.transaction(async (tx) => {
        const nowMs = clock.now();
        const id = newId('arq', nowMs);
        await insertRequest(tx, { ...asked, id, phc: asked.phc ?? null }, nowMs);
        await enqueue(tx, ANSWER_JOB, { id }, { maxAttempts: ANSWER_ATTEMPTS_MAX });
      }),
    find: (email) => findPerson(system.db, email),
    describe: async (userId) => {
      const person = await selectPerson(system.db, userId);
      if (person === undefined) return null;
      return { person, organizations: await selectOrganizationsOf(system.db, userId, ORGANIZATIONS_MAX) };
    },
    rehash: (userId, before, after) => replaceHash(system.db, userId, before, after),
    registrationOf: (token) => findRegistration(system.db, tokenHash(token), clock.now()),
    completeRegistration: (token, actor) => completeRegistration(deps, token, actor),
    userOfToken: async (kind, token) =>
      (await findTokenUser(system.db, tokenHash(token), kind, clock.now())) ?? null,
    setPassword: (token, phc, actor) => setPassword(deps, token, phc, actor),
    createInstantKey: (email, actor) => createInstantKey(deps, email, actor),
    claim: (token, phc, actor) => claimAccount(deps, token, phc, actor),
  };
}
