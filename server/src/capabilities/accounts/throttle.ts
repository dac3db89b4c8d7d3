import { hash } from 'node:crypto';
import { addressGroup, type CredentialGuard, tooMany } from '#capabilities/access/index.ts';
import { plural } from '#domain/text/plural.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { DAY_MS } from '#platform/time-units.ts';

/** Limits that reject with 429. They count before a password is hashed, equally for known and unknown addresses. */
export type Throttle = {
  /** Counts a try of a password at sign-in. */
  readonly password: (address: string, email: string) => Promise<void>;
  /** Counts a try of a password for the address that the token of the request names. */
  readonly account: (email: string) => Promise<void>;
  /** Counts a try of a token from a letter. */
  readonly token: (address: string) => Promise<void>;
  /** Counts a request for a letter. */
  readonly letter: (address: string, email: string) => Promise<void>;
  /** Counts an instant key before it is made. */
  readonly instantKey: (address: string) => Promise<void>;
};

export type ThrottleDeps = {
  readonly guard: CredentialGuard;
  readonly clock: Clock;
  readonly config: Pick<
    Config,
    | 'SIGN_IN_PER_MINUTE'
    | 'SIGN_IN_ACCOUNT_PER_HOUR'
    | 'LETTERS_PER_HOUR'
    | 'LETTERS_MAILBOX_PER_HOUR'
    | 'INSTANT_KEYS_PER_DAY'
  >;
};

type Limits = Parameters<CredentialGuard['spend']>[2];

export function createThrottle({ guard, clock, config }: ThrottleDeps): Throttle {
  const spend = async (group: string, bucket: string, limits: Limits, reason: string): Promise<void> => {
    const answer = await guard.spend(group, bucket, limits);
    if (!answer.granted) throw tooMany(answer, reason);
  };
  const byAddress = (address: string, bucket: string, limits: Limits, reason: string) =>
    spend(addressGroup(address), bucket, limits, reason);
  const byMailbox = (email: string, bucket: string, limits: Limits, reason: string) =>
    spend(hash('sha256', email, 'hex'), bucket, limits, reason);
  const signIn = (address: string) =>
    byAddress(
      address,
      'sign-in',
      { perMinute: config.SIGN_IN_PER_MINUTE },
      'Too many sign-in attempts from this IP address',
    );
  const account = (email: string) =>
    byMailbox(
      email,
      'sign-in of account',
      { perHour: config.SIGN_IN_ACCOUNT_PER_HOUR },
      'Too many wrong passwords for this account',
    );
  return {
    password: async (address, email) => {
      await signIn(address);
      await account(email);
    },
    account,
    token: signIn,
    letter: async (address, email) => {
      await byAddress(
        address,
        'letters',
        { perHour: config.LETTERS_PER_HOUR },
        'Too many emails requested from this IP address',
      );
      await byMailbox(
        email,
        'letters to mailbox',
        { perHour: config.LETTERS_MAILBOX_PER_HOUR },
        'Too many emails requested for this address. Check your inbox and spam folder',
      );
    },
    instantKey: async (address) => {
      const day = dayOf(clock.now());
      // The guard has no window of a day; naming the bucket after the day makes its monthly window one of that UTC day.
      const perMonth = config.INSTANT_KEYS_PER_DAY;
      const answer = await guard.spend(addressGroup(address), `instant keys ${day.name}`, { perMonth });
      if (!answer.granted)
        throw tooMany(
          { limit: perMonth, resetMs: day.endMs, retryAfterMs: day.endMs - clock.now() },
          `The limit is ${plural(perMonth, 'instant key')} a day for each IP address. Register for an account, or wait`,
        );
    },
  };
}

function dayOf(nowMs: number): { readonly name: string; readonly endMs: number } {
  const startMs = nowMs - (nowMs % DAY_MS);
  return { name: new Date(startMs).toISOString().slice(0, 10), endMs: startMs + DAY_MS };
}
