import { addressGroup, type CredentialGuard, tooMany } from '#capabilities/access/index.ts';
import type { Config } from '#platform/config.ts';
import type { Shown } from './factors.ts';

/** Each throws 429, and is counted before anything is looked up. */
export type FactorThrottle = {
  /** A ticket or a passkey is tried, or a challenge is asked for. */
  readonly address: (address: string) => Promise<void>;
  /** A factor of this person is tried. Only six digits can be guessed, so only these are counted by person. */
  readonly shown: (userId: string, shown: Shown) => Promise<void>;
};

export type FactorThrottleDeps = {
  readonly guard: CredentialGuard;
  readonly config: Pick<Config, 'SIGN_IN_PER_MINUTE' | 'FACTOR_CODES_PER_HOUR'>;
};

export const createFactorThrottle = ({ guard, config }: FactorThrottleDeps): FactorThrottle => ({
  address: async (address) => {
    // The bucket of passwords: one limit for all that a client address tries.
    const answer = await guard.spend(addressGroup(address), 'sign-in', {
      perMinute: config.SIGN_IN_PER_MINUTE,
    });
    if (!answer.granted)
      throw tooMany(answer, 'Too many sign-ins were tried from this address. Wait a moment');
  },
  shown: async (userId, { code }) => {
    if (code === undefined) return;
    const answer = await guard.spend(userId, 'codes of account', { perHour: config.FACTOR_CODES_PER_HOUR });
    if (!answer.granted)
      throw tooMany(
        answer,
        'Too many codes were tried for this account. Use a passkey or a recovery code, or wait',
      );
  },
});
