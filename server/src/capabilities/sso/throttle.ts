import { addressGroup, type CredentialGuard, tooMany } from '#capabilities/access/index.ts';
import type { Config } from '#platform/config.ts';

/** Limits of single sign-on per client address. Each throws 429, and counts the request before any other work. */
export type SsoThrottle = {
  readonly lookup: (address: string) => Promise<void>;
  /** Called when a sign-in is started, comes back from the provider, or is finished. */
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
    if (!answer.granted) throw tooMany(answer, 'Too many domain lookups from this IP address');
  },
  signIn: async (address) => {
    // Three requests per sign-in, and apart from the limit of sign-ins with a password.
    const answer = await guard.spend(addressGroup(address), 'sso', {
      perMinute: config.SIGN_IN_PER_MINUTE * 3,
    });
    if (!answer.granted) throw tooMany(answer, 'Too many sign-in attempts from this IP address');
  },
});
