import { addressGroup, type CredentialGuard, type KnownDevice, tooMany } from '#capabilities/access/index.ts';
import { plural } from '#domain/text/plural.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { DAY_MS } from '#platform/time-units.ts';
import {
  byAddress,
  byDevice,
  byKnownDevices,
  byMailbox,
  byNetwork,
  byProof,
  byRegistration,
  emailsByAddress,
  emailsByMailbox,
  type LimitConfig,
  reservedReset,
  type TryLimit,
} from './sign-in-limits.ts';

/** Limits that reject with 429. They count before a password is hashed, equally for known and unknown addresses. */
export type Throttle = {
  /** Counts a try of a password by a device with a cookie. False when its tries are used up: it counts as a new device. */
  readonly device: (device: KnownDevice) => Promise<boolean>;
  /** Counts a try of a password by a known device of a person. False when they have used up those of all of their devices. */
  readonly knownDevices: (email: string) => Promise<boolean>;
  /** Counts a try of a password by a device that has not signed in before. */
  readonly newDevice: (address: string, email: string) => Promise<void>;
  /** Counts a try of a password or a code in an open session, which third parties cannot use up. */
  readonly openSession: (userId: string, provedAtMs: number) => Promise<void>;
  /** Counts a try of the password of a registration, by the token of its email. */
  readonly registration: (token: string) => Promise<void>;
  /** Counts a try of a token from an email. */
  readonly token: (address: string) => Promise<void>;
  /** Counts a request for an email. */
  readonly letter: (address: string, email: string) => Promise<void>;
  /** Counts a known device's request for a reset email. False when the one of this hour was sent. */
  readonly reservedReset: (email: string) => Promise<boolean>;
  /** Counts an instant key before it is made. */
  readonly instantKey: (address: string) => Promise<void>;
};

export type ThrottleDeps = {
  readonly guard: CredentialGuard;
  readonly clock: Clock;
  readonly config: LimitConfig & Pick<Config, 'INSTANT_KEYS_PER_DAY'>;
};

export function createThrottle({ guard, clock, config }: ThrottleDeps): Throttle {
  const isGranted = async ({ group, bucket, limits }: TryLimit): Promise<boolean> =>
    (await guard.spend(group, bucket, limits)).granted;
  const spend = async ({ group, bucket, limits, reason }: TryLimit): Promise<void> => {
    const answer = await guard.spend(group, bucket, limits);
    if (!answer.granted) throw tooMany(answer, reason);
  };
  return {
    device: (device) => isGranted(byDevice(config, device)),
    knownDevices: (email) => isGranted(byKnownDevices(email)),
    newDevice: async (address, email) => {
      await spend(byAddress(config, address));
      // First the network, so that one network cannot use up the tries of all.
      await spend(byNetwork(config, email, address));
      await spend(byMailbox(config, email));
    },
    openSession: (userId, provedAtMs) => spend(byProof(config, userId, provedAtMs)),
    registration: (token) => spend(byRegistration(config, token)),
    token: (address) => spend(byAddress(config, address)),
    letter: async (address, email) => {
      await spend(emailsByAddress(config, address));
      await spend(emailsByMailbox(config, email));
    },
    reservedReset: (email) => isGranted(reservedReset(email)),
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
