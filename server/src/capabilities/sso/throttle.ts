import { addressGroup, type CredentialGuard, tooMany } from '#capabilities/access/index.ts';
import type { Config } from '#platform/config.ts';

/** Each throws 429, and is counted before anything is looked up. */
export type SsoThrottle = {
  readonly lookup: (address: string) => Promise<void>;
  /** A sign-in is started, comes back or is finished. */
  readonly signIn: (address: string) => Promise<void>;
};

export const createSsoThrottle = ({
  guard,
  config,
}: {
  readonly guard: CredentialGuard;
  readonly config: Pick<Config, 'SIGN_IN_PER_MINUTE' | 'SSO_LOOKUPS_PER_HOUR'>;
}): SsoThrottle => ({
  lookup: async (address) => {
    const answer = await guard.spend(addressGroup(address), 'sso lookups', {
      perHour: config.SSO_LOOKUPS_PER_HOUR,
    });
    if (!answer.granted)
      throw tooMany(answer, 'Too many domains were looked up from this address. Wait a while');
  },
  signIn: async (address) => {
    // A bucket of its own: a sign-in takes three requests, and passwords have their own limit.
    const answer = await guard.spend(addressGroup(address), 'sso', {
      perMinute: config.SIGN_IN_PER_MINUTE * 3,
    });
    if (!answer.granted)
      throw tooMany(answer, 'Too many sign-ins were tried from this address. Wait a moment');
  },
});
