import type { FastifyRequest } from 'fastify';
import {
  addressNetwork,
  callerOf,
  clientAddress,
  type KnownDevice,
  type OpenSessionDeps,
} from '#capabilities/access/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { Lane, Turn } from './hash-queue.ts';
import type { People } from './people.ts';
import type { Person } from './store.ts';
import type { Throttle } from './throttle.ts';

export type AdmitDeps = {
  readonly clock: Pick<Clock, 'now'>;
  readonly people: Pick<People, 'find'>;
  readonly throttle: Throttle;
  readonly session: Pick<OpenSessionDeps, 'signIn'>;
};

type Asking = { readonly request: FastifyRequest; readonly signal: AbortSignal };

/**
 * Counts a sign-in with a password and gives it a place in the queue of hashes. A known device has limits and a lane of its own;
 * the database is asked about a device only after its cookie was found to be ours. Throws 429.
 */
export async function admitSignIn(
  deps: AdmitDeps,
  { request, signal }: Asking,
  email: string,
): Promise<{ readonly person: Person | undefined; readonly turn: Turn }> {
  const device = deviceOf(deps, request, email);
  if (device !== null && (await deps.throttle.device(device))) {
    const person = await deps.people.find(email);
    if (isStillKnown(device, person) && (await deps.throttle.knownDevices(email)))
      return { person, turn: provenTurn(person.userId, signal) };
  }
  await deps.throttle.newDevice(clientAddress(request), email);
  return { person: await deps.people.find(email), turn: networkTurn('open', { request, signal }) };
}

/** Counts a request for a reset email. One an hour is kept for known devices. Throws 429. */
export async function admitReset(deps: AdmitDeps, request: FastifyRequest, email: string): Promise<void> {
  const device = deviceOf(deps, request, email);
  const isKnown = device !== null && isStillKnown(device, await deps.people.find(email));
  if (isKnown && (await deps.throttle.reservedReset(email))) return;
  await deps.throttle.letter(clientAddress(request), email);
}

/**
 * Counts a password that an open session confirms with. A session of a password or a passkey counts for itself; one of a key pair
 * or of single sign-on counts as a new device, because whoever has the key or the provider can open any number of them.
 */
export async function admitConfirmation(
  deps: AdmitDeps,
  { request, signal }: Asking,
  principal: Principal,
  email: string,
): Promise<Turn> {
  if (await countInSession(deps, principal)) return provenTurn(principal.userId, signal);
  await deps.throttle.newDevice(clientAddress(request), email);
  return networkTurn('open', { request, signal });
}

/** Counts a try of a password or a code in this session. False when the session has no limit of its own. Throws 429. */
export async function countInSession(
  { throttle }: Pick<AdmitDeps, 'throttle'>,
  principal: Principal,
): Promise<boolean> {
  const proof = callerOf(principal)?.proof;
  if (proof?.method !== 'password' && proof?.method !== 'passkey') return false;
  await throttle.openSession(principal.userId, proof.provedAtMs);
  return true;
}

export const provenTurn = (userId: string, signal: AbortSignal): Turn => ({
  lane: 'proven',
  group: userId,
  signal,
});

export const networkTurn = (lane: Exclude<Lane, 'proven'>, { request, signal }: Asking): Turn => ({
  lane,
  group: addressNetwork(clientAddress(request)),
  signal,
});

const deviceOf = (
  { session, clock }: Pick<AdmitDeps, 'session' | 'clock'>,
  request: FastifyRequest,
  email: string,
): KnownDevice | null => session.signIn.device.find(request, email, clock.now());

/** A new password makes every device of its person unknown until it signs in again. */
const isStillKnown = (device: KnownDevice, person: Person | undefined): person is Person =>
  person !== undefined && device.issuedAtMs >= (person.passwordChangedAt?.getTime() ?? 0);
