import { hash } from 'node:crypto';
import {
  addressGroup,
  addressNetwork,
  type CredentialGuard,
  type KnownDevice,
} from '#capabilities/access/index.ts';
import type { Config } from '#platform/config.ts';

/** One limit of tries: where the guard counts it, and the reason given for a refusal, without its full stop. */
export type TryLimit = {
  readonly group: string;
  readonly bucket: string;
  readonly limits: Parameters<CredentialGuard['spend']>[2];
  readonly reason: string;
};

export type LimitConfig = Pick<
  Config,
  | 'SIGN_IN_PER_MINUTE'
  | 'SIGN_IN_DEVICE_PER_HOUR'
  | 'SIGN_IN_NETWORK_PER_HOUR'
  | 'SIGN_IN_ACCOUNT_PER_HOUR'
  | 'LETTERS_PER_HOUR'
  | 'LETTERS_MAILBOX_PER_HOUR'
>;

/** Sign-ins of all known devices of a person, right passwords included: a person with an account must not fill their lane. */
const KNOWN_DEVICES_PER_HOUR = 60;
const RESERVED_RESETS_PER_HOUR = 1;
const OTHER_WAYS = 'Sign in on a device that you used before, or with a passkey, if you have one';

/** The digest keeps email addresses out of Redis. */
const digest = (...parts: readonly string[]): string => hash('sha256', parts.join('\n'), 'hex');

export const byAddress = (config: LimitConfig, address: string): TryLimit => ({
  group: addressGroup(address),
  bucket: 'sign-in',
  limits: { perMinute: config.SIGN_IN_PER_MINUTE },
  reason: 'Too many sign-in attempts from this IP address',
});

/** Of devices that have not signed in before. It is reached by the mistakes of one person, and by a guesser in one network. */
export const byNetwork = (config: LimitConfig, email: string, address: string): TryLimit => ({
  group: digest(email, addressNetwork(address)),
  bucket: 'sign-in from network',
  limits: { perHour: config.SIGN_IN_NETWORK_PER_HOUR },
  reason: `Too many sign-in attempts for this email address from your network. ${OTHER_WAYS}`,
});

/** Of devices that have not signed in before, from all networks together. */
export const byMailbox = (config: LimitConfig, email: string): TryLimit => ({
  group: digest(email),
  bucket: 'sign-in of account',
  limits: { perHour: config.SIGN_IN_ACCOUNT_PER_HOUR },
  reason: `Too many sign-in attempts for this email address from new devices. ${OTHER_WAYS}`,
});

export const byDevice = (config: LimitConfig, device: Pick<KnownDevice, 'id'>): TryLimit => ({
  group: digest(device.id),
  bucket: 'sign-in of device',
  limits: { perHour: config.SIGN_IN_DEVICE_PER_HOUR },
  reason: 'Too many wrong passwords from this device',
});

export const byKnownDevices = (email: string): TryLimit => ({
  group: digest(email),
  bucket: 'sign-in of known devices',
  limits: { perHour: KNOWN_DEVICES_PER_HOUR },
  reason: 'Too many sign-in attempts for this email address from known devices',
});

/** Of an open session since its person last proved who they are. The proof goes along when a session changes its account. */
export const byProof = (config: LimitConfig, userId: string, provedAtMs: number): TryLimit => ({
  group: digest(userId, String(provedAtMs)),
  bucket: 'confirmation of session',
  limits: { perHour: config.SIGN_IN_DEVICE_PER_HOUR },
  reason: 'Too many wrong passwords or codes in this session. Sign in again',
});

export const byRegistration = (config: LimitConfig, token: string): TryLimit => ({
  group: digest(token),
  bucket: 'password of registration',
  limits: { perHour: config.SIGN_IN_DEVICE_PER_HOUR },
  reason: 'Too many wrong passwords for this registration',
});

export const emailsByAddress = (config: LimitConfig, address: string): TryLimit => ({
  group: addressGroup(address),
  bucket: 'letters',
  limits: { perHour: config.LETTERS_PER_HOUR },
  reason: 'Too many emails requested from this IP address',
});

export const emailsByMailbox = (config: LimitConfig, email: string): TryLimit => ({
  group: digest(email),
  bucket: 'letters to mailbox',
  limits: { perHour: config.LETTERS_MAILBOX_PER_HOUR },
  reason: 'Too many emails requested for this address. Check your inbox and spam folder',
});

/** The reset email that third parties cannot use up. */
export const reservedReset = (email: string): TryLimit => ({
  group: digest(email),
  bucket: 'reset email to known device',
  limits: { perHour: RESERVED_RESETS_PER_HOUR },
  reason: 'Too many emails requested for this address. Check your inbox and spam folder',
});
