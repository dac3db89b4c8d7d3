import { hash } from 'node:crypto';
import type { CredentialGuard, OpenSessionDeps, PersonSessions } from '#capabilities/access/index.ts';
import type { Factors, FactorThrottle } from '#capabilities/factors/index.ts';
import type { Passwords } from '#capabilities/passwords/index.ts';
import type { Domain } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { badRequest, forbidden, notConfigured } from '#platform/errors.ts';
import { createHasher, type Hasher } from './hash-password.ts';
import type { People } from './people.ts';
import { createThrottle, type Throttle } from './throttle.ts';

/** Dependencies of the routes of people. Only `people` and `sessions` reach across accounts. */
export type AccountsDeps = {
  readonly config: Pick<Config, 'REGISTRATION' | 'DEFAULT_PLAN' | 'PUBLIC_API_URL' | 'PUBLIC_WEB_URL'>;
  readonly clock: Clock;
  readonly people: People;
  readonly hasher: Hasher;
  readonly throttle: Throttle;
  readonly canSendLetters: boolean;
  readonly session: OpenSessionDeps;
  readonly sessions: PersonSessions;
  readonly factors: Pick<Factors, 'needed' | 'openTicket' | 'prove'>;
  readonly factorThrottle: FactorThrottle;
  /** Whether the password is in the list of breached passwords; false while no list is loaded. */
  readonly isBreached: (password: string) => boolean;
  /** Whether the domain belongs to a throwaway mailbox service. */
  readonly isDisposable: (domain: Domain) => boolean;
};

export type AccountsOptions = Omit<AccountsDeps, 'config' | 'hasher' | 'throttle' | 'isBreached'> & {
  readonly config: Parameters<typeof createThrottle>[0]['config'] & AccountsDeps['config'];
  readonly guard: CredentialGuard;
  readonly passwords: Pick<Passwords, 'find'>;
};

export function openAccounts(options: AccountsOptions): AccountsDeps {
  const { config, clock, people, canSendLetters, session, sessions, isDisposable, factors, factorThrottle } =
    options;
  return {
    config,
    clock,
    people,
    canSendLetters,
    session,
    sessions,
    factors,
    factorThrottle,
    isDisposable,
    hasher: createHasher(clock),
    throttle: createThrottle(options),
    isBreached: (password) =>
      options.passwords.find({ algorithm: 'sha1', value: hash('sha1', password, 'hex') }) !== null,
  };
}

export function refuseBreached({ isBreached }: Pick<AccountsDeps, 'isBreached'>, password: string): void {
  if (!isBreached(password)) return;
  const message = 'This password is in the list of breached passwords. Choose one that was never used.';
  throw badRequest(`password: ${message}`, [{ path: 'password', message }]);
}

export function refuseClosed({ config }: Pick<AccountsDeps, 'config'>): void {
  if (config.REGISTRATION === 'closed')
    throw forbidden('Registration is closed here. Ask the operator of this service for an invitation.');
}

export function refuseWithoutMail({ canSendLetters }: Pick<AccountsDeps, 'canSendLetters'>): void {
  if (!canSendLetters)
    throw notConfigured(
      'This service cannot send email because SMTP_URL is not set, so it cannot verify an address. Ask the operator for an invitation link.',
    );
}
