import type { FastifyRequest } from 'fastify';
import { PLANS, planReaches } from '#domain/plans/plans.ts';
import { oneOf } from '#domain/text/one-of.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { forbidden, ServiceError } from '#platform/errors.ts';
import { CREDENTIAL_WAYS, KEY_WAYS, NOT_BEARER } from '#platform/http/credential-words.ts';
import type { Gates } from '#platform/http/gates.ts';
import type { Policy } from '#platform/http/policy.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { Secrets } from '#platform/secrets.ts';
import type { AuthFailures } from './auth-failures.ts';
import { ANONYMOUS_PLAN, type Caller } from './caller.ts';
import { addressGroup, clientAddress } from './client-address.ts';
import { demandLicence } from './demand-licence.ts';
import { credentialOf, isSecret, type Pair } from './key-format.ts';
import type { AccessReplica, AccessView, KeyRecord, KeyRecords } from './key-records.ts';
import type { KeyUsage } from './key-usage.ts';
import type { LatestKeys } from './latest-keys.ts';
import {
  type Credential,
  type CredentialHeaders,
  keyHeaderMistake,
  parseCredentials,
} from './parse-credentials.ts';
import { refusals } from './refusal-counter.ts';
import { refuseStale, UNKNOWN_STALE_MAX_MS } from './refuse-stale.ts';
import { refuseWithoutFactor } from './refuse-without-factor.ts';
import type { SameSite } from './same-site.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { OpenSession } from './sessions.ts';
import { verifySecret } from './verify-secret.ts';

export type IdentifyDeps = {
  readonly config: Pick<Config, 'KEY_STALE_MAX_MS' | 'REPLICA_STALE_MS'>;
  readonly clock: Clock;
  readonly pepper: Secrets;
  readonly replica: AccessReplica;
  readonly records: KeyRecords;
  readonly latest: LatestKeys;
  readonly usage: Pick<KeyUsage, 'note'>;
  readonly failures: AuthFailures;
  readonly sameSite: SameSite;
  readonly cookie: Pick<SessionCookie, 'name' | 'open'>;
  readonly findSession: (token: string) => Promise<OpenSession | null>;
};

const MALFORMED = { kind: 'malformed' } as const;
const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="api", charset="UTF-8"' } as const;
const INVALID_KEY = 'Invalid API key';
const SESSION_ENDED = 'This session has ended. Sign in again.';

/** Identifies and authorizes a caller (decisions 1.3). Synchronous unless PostgreSQL is asked for a session or an unknown key. */
export function createIdentify(deps: IdentifyDeps): Gates['identify'] {
  const { sameSite } = deps;
  const identify: Gates['identify'] = (request, policy) => {
    if (policy.auth === 'public' || policy.auth === 'signIn') return anonymous(request);
    const credential = parseCredentials(credentialHeaders(request), deps.cookie.name);
    switch (credential.kind) {
      case 'pair':
      case 'basic':
      case 'malformed':
        return admitKey(deps, request, policy, credential);
      case 'empty':
        throw unauthorized(request, 'X-API-KEY header is empty', 'empty');
      case 'bearer':
        throw unauthorized(request, `${NOT_BEARER} Send ${KEY_WAYS}.`, 'bearer');
      case 'session':
        return admitSession(deps, sameSite, request, policy, credential.token);
      case 'none':
        return withoutCredential(request, policy);
    }
  };
  return (request, policy) =>
    policy.auth === 'lenient'
      ? leniently(request, () => identify(request, policy))
      : identify(request, policy);
}

/** Treats a caller whose credential is refused as anonymous. An internal error is not a refusal and stays an error. */
function leniently(
  request: FastifyRequest,
  identify: () => Principal | Promise<Principal>,
): Principal | Promise<Principal> {
  const asAnonymous = (error: unknown): Principal => {
    if (error instanceof ServiceError) return anonymous(request);
    throw error;
  };
  try {
    const known = identify();
    return known instanceof Promise ? known.catch(asAnonymous) : known;
  } catch (error) {
    return asAnonymous(error);
  }
}

function withoutCredential(request: FastifyRequest, policy: Policy): Principal {
  if (policy.auth === 'optional' || policy.auth === 'lenient') return anonymous(request);
  throw unauthorized(request, `This route needs a credential: ${CREDENTIAL_WAYS}.`, 'none');
}

const anonymous = (request: FastifyRequest): Principal => ({
  kind: 'anonymous',
  id: addressGroup(clientAddress(request)),
  accountId: '',
  userId: '',
  organizationId: null,
  role: null,
  plan: ANONYMOUS_PLAN,
});

// Keys

type KeyCredential = Extract<Credential, { kind: 'pair' | 'basic' | 'malformed' }>;

function admitKey(
  deps: IdentifyDeps,
  request: FastifyRequest,
  policy: Policy,
  credential: KeyCredential,
): Principal | Promise<Principal> {
  const view = deps.replica.view();
  const nowMs = deps.clock.now();
  const judged = judgeReplicated(deps, view, credential, nowMs);
  if (judged !== null) return admitRecord(deps, view, judged, request, policy, nowMs);
  return judgeLatest(deps, view, request, credential, nowMs).then((latest) =>
    admitRecord(deps, view, latest, request, policy, nowMs),
  );
}

function admitRecord(
  deps: IdentifyDeps,
  view: AccessView,
  judged: Judged,
  request: FastifyRequest,
  policy: Policy,
  nowMs: number,
): Principal {
  const { record } = judged;
  if (policy.auth !== 'lenient') refuseUnconfirmed(deps, judged, nowMs);
  confirmAddress(judged, request);
  // The credential is right and the route takes another kind, so this is no 401: another key would not help either.
  if (policy.auth === 'session') {
    refusals.inc({ reason: 'kind' });
    throw forbidden(
      'An API key cannot call this route. Sign in to the dashboard and call it with the session.',
    );
  }
  deps.usage.note(record, nowMs);
  authorize(deps, view, request, policy, record.caller, nowMs);
  return record.caller;
}

/** Verifies a pair from a body exactly as one in X-API-KEY; used for signing in. */
export const createConfirmPair =
  (deps: IdentifyDeps) =>
  async (request: FastifyRequest, pair: Pair): Promise<KeyRecord['caller']> => {
    const parsed = parseCredentials({ 'x-api-key': credentialOf(pair) }, '');
    const nowMs = deps.clock.now();
    const view = deps.replica.view();
    const credential = parsed.kind === 'pair' ? parsed : MALFORMED;
    const judged =
      judgeReplicated(deps, view, credential, nowMs) ??
      (await judgeLatest(deps, view, request, credential, nowMs));
    refuseUnconfirmed(deps, judged, nowMs);
    confirmAddress(judged, request);
    if (!judged.record.canSignIn)
      throw forbidden(
        'This key pair was made for programs and cannot open a session. Sign in with another key pair.',
      );
    deps.usage.note(judged.record, nowMs);
    return judged.record.caller;
  };

/** A verified key, and when the source of its record (replica or PostgreSQL) was last known to be up to date. */
type Judged = { readonly record: KeyRecord; readonly contactAtMs: number };

/** Verifies the key with the replica of this node; null when the replica is stale or does not know this pair. */
function judgeReplicated(
  deps: IdentifyDeps,
  view: AccessView,
  credential: KeyCredential,
  nowMs: number,
): Judged | null {
  if (isStale(deps, view, nowMs)) return null;
  const record = judgeKey(deps, replicatedKeys(deps, view), credential, nowMs);
  return record === undefined ? null : { record, contactAtMs: view.contactAtMs };
}

/** Verifies the key with PostgreSQL, so that a new key works on every node as soon as it is given out. */
async function judgeLatest(
  deps: IdentifyDeps,
  view: AccessView,
  request: FastifyRequest,
  credential: KeyCredential,
  nowMs: number,
): Promise<Judged> {
  const keys = await latestKeys(deps, replicatedKeys(deps, view), credential, nowMs);
  const record = judgeKey(deps, keys, credential, nowMs);
  if (record === undefined) return refuseWrong(deps, request, wordWrongKey(request, credential), 'wrong');
  return { record, contactAtMs: keys.contactAtMs };
}

/** A well-formed pair always gets the short form, whether its key exists or not (decisions 1.3). */
function wordWrongKey({ headers }: FastifyRequest, { kind }: KeyCredential): string {
  const mistake = kind === 'malformed' ? keyHeaderMistake(headers['x-api-key']) : null;
  return mistake === null ? INVALID_KEY : `${INVALID_KEY}: ${mistake}`;
}

/** A source of key records (replica or PostgreSQL), and when it was last known to be up to date. */
type Keys = {
  readonly find: (apiKey: string) => KeyRecord | undefined;
  readonly contactAtMs: number;
};

const replicatedKeys = ({ records }: IdentifyDeps, view: AccessView): Keys => ({
  find: (apiKey) => records.find(view, apiKey),
  contactAtMs: view.contactAtMs,
});

const isStale = ({ config }: IdentifyDeps, view: AccessView, nowMs: number): boolean =>
  nowMs - view.contactAtMs > config.REPLICA_STALE_MS;

/** The keys of a credential from PostgreSQL; from the replica while PostgreSQL does not answer (reliability A1). */
async function latestKeys(
  { latest }: IdentifyDeps,
  replicated: Keys,
  credential: KeyCredential,
  nowMs: number,
): Promise<Keys> {
  if (credential.kind === 'malformed') return replicated;
  const inner = credential.kind === 'basic' ? credential.inner : null;
  // A secret with a wrong checksum was not issued here, so garbage takes no place in the queue for PostgreSQL.
  if (!isSecret((inner ?? credential.pair).apiSecret)) return replicated;
  const names = inner === null ? [credential.pair.apiKey] : [credential.pair.apiKey, inner.apiKey];
  const found = new Map<string, KeyRecord | undefined>();
  for (const name of names) {
    const answer = await latest.find(name);
    if (answer === null) return replicated;
    found.set(name, answer.record);
  }
  return { find: (apiKey) => found.get(apiKey), contactAtMs: nowMs };
}

/** Counts the wrong credential against the address, so that repeated guesses get 429; otherwise answers 401. */
async function refuseWrong(
  deps: IdentifyDeps,
  request: FastifyRequest,
  message: string,
  reason: string,
): Promise<never> {
  await deps.failures.count(clientAddress(request));
  throw unauthorized(request, message, reason);
}

/** Refuses a key with 503 when a revocation of it might not have arrived here. */
function refuseUnconfirmed(deps: IdentifyDeps, { contactAtMs }: Judged, nowMs: number): void {
  if (nowMs - contactAtMs >= deps.config.KEY_STALE_MAX_MS)
    throw refuseStale('API keys cannot be verified right now. Try again shortly.');
}

/** Refuses an address outside the allow list of the key with 403. */
function confirmAddress({ record }: Judged, request: FastifyRequest): void {
  // The address is read only for a key with an allow list: normalizing IPv6 costs as much as the whole lookup.
  if (record.allows !== null && !record.allows(clientAddress(request)))
    throw forbidden(
      `This API key may not be used from ${clientAddress(request)}. Add the address to the key's allow list, or use another key.`,
    );
}
/** The record of the key, or undefined when the secret is wrong. Basic form 2 is tried before form 3. */
function judgeKey(
  deps: IdentifyDeps,
  keys: Keys,
  credential: KeyCredential,
  nowMs: number,
): KeyRecord | undefined {
  if (credential.kind === 'malformed') return undefined;
  const { pair } = credential;
  if (credential.kind === 'pair' || credential.inner === null) return judgePair(deps, keys, pair, nowMs);
  // A secret is never Base64 of a pair ('_' is outside that alphabet), so a password with a pair inside is form 3.
  // Under the name of a known key only the pair of that key is accepted, because one request must not name two keys.
  const named = keys.find(pair.apiKey);
  if (named !== undefined && credential.inner.apiKey !== pair.apiKey) return undefined;
  return judgePair(deps, keys, credential.inner, nowMs);
}

function judgePair(deps: IdentifyDeps, keys: Keys, pair: Pair, nowMs: number): KeyRecord | undefined {
  const record = keys.find(pair.apiKey);
  const right = verifySecret(deps.pepper, record, pair.apiSecret, nowMs);
  if (right) return record;
  // A secret with a wrong checksum was not issued here, so it can be refused without PostgreSQL.
  if (record === undefined && nowMs - keys.contactAtMs > UNKNOWN_STALE_MAX_MS && isSecret(pair.apiSecret))
    throw refuseStale('This API key cannot be verified right now. Try again shortly.');
  return undefined;
}

// Sessions

function admitSession(
  deps: IdentifyDeps,
  sameSite: SameSite,
  request: FastifyRequest,
  policy: Policy,
  token: string,
): Principal | Promise<Principal> {
  if (policy.auth === 'key')
    throw unauthorized(request, `A session cannot call this route. Send ${KEY_WAYS}.`, 'kind');
  if (sameSite.isForged(request)) {
    refusals.inc({ reason: 'cross-site' });
    throw forbidden('This request did not come from the dashboard, so its session cookie is not accepted.');
  }
  if (!sameSite.isSameSite(request)) return withoutCredential(request, policy);
  const genuine = deps.cookie.open(token);
  // A value that was not issued here is refused without PostgreSQL; otherwise guesses would use up its connections.
  if (genuine === null) return refuseWrong(deps, request, SESSION_ENDED, 'session');
  return deps.findSession(genuine).then((session) => {
    if (session === null) return refuseWrong(deps, request, SESSION_ENDED, 'session');
    const { caller, allows, lacksFactor } = session;
    // A stolen cookie must not be usable where its key pair is not.
    if (allows !== null && !allows(clientAddress(request)))
      throw forbidden(
        `This session was opened with an API key that may not be used from ${clientAddress(request)}. Go back to an address of its allow list, or sign in with another key.`,
      );
    if (lacksFactor && policy.person !== true) throw refuseWithoutFactor();
    authorize(deps, null, request, policy, caller, deps.clock.now());
    return caller;
  });
}

// Requirements of the route beyond a credential: 403 with what the caller can do.

function authorize(
  deps: IdentifyDeps,
  seen: AccessView | null,
  request: FastifyRequest,
  policy: Policy,
  caller: Caller,
  nowMs: number,
): void {
  if (!planReaches(caller.plan, policy.plan)) {
    const plans = PLANS.filter((plan) => planReaches(plan, policy.plan));
    throw forbidden(
      `${policy.called ?? 'This route'} needs ${oneOf(plans)}; your plan is ${caller.plan}. Upgrade to use it.`,
    );
  }
  if (policy.organization === true && caller.organizationId === null)
    throw forbidden('This route works for an organization. Create or join one, then use a key made in it.');
  // A role of null means a caller without an organization, who owns the account and may do everything.
  if (policy.role !== undefined && caller.role !== null && !policy.role.includes(caller.role))
    throw forbidden(
      `This route needs the role ${oneOf(policy.role)}; yours is ${caller.role}. Ask an owner of the organization.`,
    );
  if (policy.licence === true) demandLicence(deps, seen ?? deps.replica.view(), request, caller, nowMs);
}

function unauthorized(request: FastifyRequest, message: string, reason: string): ServiceError {
  refusals.inc({ reason });
  const { surface } = request.routeOptions.config as { surface?: string };
  // A browser would answer the challenge with a dialog, so the web surface sends none.
  return new ServiceError('Unauthorized', message, surface === 'web' ? {} : { headers: CHALLENGE });
}

/**
 * Node joins a repeated X-API-KEY and drops a repeated Authorization, so the raw headers are read to refuse a
 * second one.
 */
function credentialHeaders(request: FastifyRequest): CredentialHeaders {
  const { headers } = request;
  if (headers.authorization === undefined || headers['x-api-key'] !== undefined) return headers;
  const raw = request.raw.rawHeaders;
  let seen = 0;
  for (let i = 0; i < raw.length; i += 2) if (raw[i]?.toLowerCase() === 'authorization') seen += 1;
  return seen > 1 ? { authorization: ['', ''] } : headers;
}
