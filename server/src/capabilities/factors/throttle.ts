import { addressGroup, type CredentialGuard, tooMany } from '#capabilities/access/index.ts';
import type { Config } from '#platform/config.ts';
import type { Shown } from './factors.ts';

/** Each limit is counted before anything is looked up, and throws 429 when it is spent. */
export type FactorThrottle = {
  /** Per client address: counts tried tickets and passkeys, and requested challenges. */
  readonly address: (address: string) => Promise<void>;
  /** Per person: counts tried six-digit codes only, because nothing else can be guessed. */
  readonly shown: (userId: string, shown: Shown) => Promise<void>;
};

export type FactorThrottleDeps = {
  readonly guard: CredentialGuard;
  readonly config: Pick<Config, 'SIGN_IN_PER_MINUTE' | 'FACTOR_CODES_PER_HOUR'>;
};

/** The limit of a person's codes, and where the guard counts it. */
export const codesOfPerson = (config: Pick<Config, 'FACTOR_CODES_PER_HOUR'>, userId: string) => ({
  group: userId,
  bucket: 'codes of account',
  limits: { perHour: config.FACTOR_CODES_PER_HOUR },
});

export const createFactorThrottle = ({ guard, config }: FactorThrottleDeps): FactorThrottle => ({
  address: async (address) => {
    // The same bucket as for passwords, so that a client address has one limit for all sign-in tries.
    const answer = await guard.spend(addressGroup(address), 'sign-in', {
      perMinute: config.SIGN_IN_PER_MINUTE,
    });
    if (!answer.granted) throw tooMany(answer, 'Too many sign-in attempts from this IP address');
  },
  shown: async (userId, { code }) => {
    if (code === undefined) return;
    const { group, bucket, limits } = codesOfPerson(config, userId);
    const answer = await guard.spend(group, bucket, limits);
    if (!answer.granted)
      throw tooMany(
        answer,
        'Too many wrong codes for this account. Use a passkey or a recovery code, or wait',
      );
  },
});
