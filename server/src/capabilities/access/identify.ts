import type { FastifyRequest } from 'fastify';
import { PLANS, planReaches } from '#domain/plans/plans.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { forbidden, ServiceError, unavailable } from '#platform/errors.ts';
import type { Gates } from '#platform/http/gates.ts';
import type { Policy } from '#platform/http/policy.ts';
import type { Principal } from '#platform/http/principal.ts';
import { counter } from '#platform/metrics.ts';
import type { Secrets } from '#platform/secrets.ts';
import type { AuthFailures } from './auth-failures.ts';
import { ANONYMOUS_PLAN, type Caller } from './caller.ts';
import { addressGroup, clientAddress } from './client-address.ts';
import { credentialOf, isLicence, isSecret, licenceHash, type Pair } from './key-format.ts';
import type { AccessReplica, AccessView, KeyRecord, KeyRecords } from './key-records.ts';
import type { KeyUsage } from './key-usage.ts';
import { type Credential, type CredentialHeaders, parseCredentials } from './parse-credentials.ts';
import type { SameSite } from './same-site.ts';
import type { OpenSession } from './sessions.ts';
import { verifySecret } from './verify-secret.ts';

export type IdentifyDeps = {
  readonly config: Pick<Config, 'KEY_STALE_MAX_MS'>;
  readonly clock: Clock;
  /** KEY_PEPPER. */
  readonly pepper: Secrets;
  readonly replica: AccessReplica;
  readonly records: KeyRecords;
  readonly usage: Pick<KeyUsage, 'note'>;
  readonly failures: AuthFailures;
  readonly sameSite: SameSite;
  readonly cookieName: string;
  readonly findSession: (token: string) => Promise<OpenSession | null>;
};

/** A key the replica does not know may be newer than the replica: after this long without contact we cannot say 401. */
const UNKNOWN_STALE_MAX_MS = 5_000;
const RETRY_AFTER_S = 5;
const MALFORMED = { kind: 'malformed' } as const;
const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="api", charset="UTF-8"' } as const;
const THREE_WAYS =
  'Send an X-API-KEY header, HTTP Basic credentials or a session cookie: this route needs one of them.';

const refusals = counter({
  name: 'auth_refusals_total',
  help: 'Requests refused before their route, by reason.',
  labels: ['reason'],
});

/** Decisions 1.3 in one function: who is calling, and may they call this route? Synchronous unless a session is read. */
export function createIdentify(deps: IdentifyDeps): Gates['identify'] {
  const { sameSite } = deps;
  return (request, policy) => {
    if (policy.auth === 'public' || policy.auth === 'signIn') return anonymous(request);
    const credential = parseCredentials(credentialHeaders(request), deps.cookieName);
    switch (credential.kind) {
      case 'pair':
      case 'basic':
      case 'malformed':
        return admitKey(deps, request, policy, credential);
      case 'empty':
        throw unauthorized(request, 'X-API-KEY header is empty', 'empty');
      case 'bearer':
        throw unauthorized(
          request,
          'API keys are not Bearer tokens. Send X-API-KEY: base64(apiKey:apiSecret), or HTTP Basic with apiKey and apiSecret.',
          'bearer',
        );
      case 'session':
        return admitSession(deps, sameSite, request, policy, credential.token);
      case 'none':
        return withoutCredential(request, policy);
    }
  };
}

function withoutCredential(request: FastifyRequest, policy: Policy): Principal {
  if (policy.auth === 'optional') return anonymous(request);
  throw unauthorized(request, THREE_WAYS, 'none');
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
): Principal {
  const view = deps.replica.view();
  const nowMs = deps.clock.now();
  const record = confirmKey(deps, view, request, credential, nowMs);
  if (policy.auth === 'session' || policy.auth === 'operator')
    throw unauthorized(request, 'This route needs a dashboard session; an API key cannot call it.', 'kind');
  deps.usage.note(record, nowMs);
  authorize(deps, view, request, policy, record.caller, nowMs);
  return record.caller;
}

/** A pair that came in a body, judged exactly as if it stood in X-API-KEY: for signing in. */
export const createConfirmPair =
  (deps: IdentifyDeps) =>
  (request: FastifyRequest, pair: Pair): KeyRecord['caller'] => {
    const credential = parseCredentials({ 'x-api-key': credentialOf(pair) }, '');
    const nowMs = deps.clock.now();
    const known = credential.kind === 'pair' ? credential : MALFORMED;
    const record = confirmKey(deps, deps.replica.view(), request, known, nowMs);
    deps.usage.note(record, nowMs);
    return record.caller;
  };

/** The record behind a right credential; 401 for a wrong one, 503 for one that cannot be judged, 403 from elsewhere. */
function confirmKey(
  deps: IdentifyDeps,
  view: AccessView,
  request: FastifyRequest,
  credential: KeyCredential,
  nowMs: number,
): KeyRecord {
  const record = judgeKey(deps, view, credential, nowMs);
  if (record === undefined) {
    deps.failures.count(clientAddress(request));
    throw unauthorized(request, 'Invalid API key', 'wrong');
  }
  if (nowMs - view.contactAtMs >= deps.config.KEY_STALE_MAX_MS)
    throw refuseStale('API keys cannot be confirmed right now. Try again shortly.');
  // Read only where it matters: putting an IPv6 address in order costs as much as the whole lookup.
  if (record.allows !== null && !record.allows(clientAddress(request)))
    throw forbidden(
      `This API key may not be used from ${clientAddress(request)}. Add the address to the key's allow list, or use another key.`,
    );
  return record;
}

/** The record of the key whose secret was sent, or undefined. Basic form 2 is tried before form 3. */
function judgeKey(
  deps: IdentifyDeps,
  view: AccessView,
  credential: KeyCredential,
  nowMs: number,
): KeyRecord | undefined {
  if (credential.kind === 'malformed') return undefined;
  const { pair } = credential;
  if (credential.kind === 'pair' || credential.inner === null) return judgePair(deps, view, pair, nowMs);
  // A secret is never Base64 of a pair ('_' is outside that alphabet), so a password with a pair inside is form 3. Under
  // the name of a known key only that key's own pair is taken: two identities in one request are none.
  const named = deps.records.find(view, pair.apiKey);
  if (named !== undefined && credential.inner.apiKey !== pair.apiKey) return undefined;
  return judgePair(deps, view, credential.inner, nowMs);
}

function judgePair(deps: IdentifyDeps, view: AccessView, pair: Pair, nowMs: number): KeyRecord | undefined {
  const record = deps.records.find(view, pair.apiKey);
  const right = verifySecret(deps.pepper, record, pair.apiSecret, nowMs);
  if (right) return record;
  // A secret with a wrong checksum was never ours: no contact is needed to say so.
  if (record === undefined && nowMs - view.contactAtMs > UNKNOWN_STALE_MAX_MS && isSecret(pair.apiSecret))
    throw refuseStale(
      'This API key is not known here yet and cannot be confirmed right now. Try again shortly.',
    );
  return undefined;
}

function refuseStale(message: string): ServiceError {
  refusals.inc({ reason: 'stale' });
  return unavailable(message, RETRY_AFTER_S);
}

// Sessions

function admitSession(
  deps: IdentifyDeps,
  sameSite: SameSite,
  request: FastifyRequest,
  policy: Policy,
  token: string,
): Principal | Promise<Principal> {
  if (policy.auth === 'key' || policy.auth === 'operator')
    throw unauthorized(
      request,
      'A session cannot call this route. Send an X-API-KEY header or HTTP Basic credentials.',
      'kind',
    );
  if (sameSite.isForged(request)) {
    refusals.inc({ reason: 'cross-site' });
    throw forbidden('This request did not come from the dashboard, so its session cookie is not accepted.');
  }
  if (!sameSite.isSameSite(request)) return withoutCredential(request, policy);
  return deps.findSession(token).then((session) => {
    if (session === null) {
      deps.failures.count(clientAddress(request));
      throw unauthorized(request, 'This session has ended. Sign in again.', 'session');
    }
    const { caller, allows } = session;
    // A cookie that was carried off is worth no more than the pair it stands for.
    if (allows !== null && !allows(clientAddress(request)))
      throw forbidden(
        `This session was opened with an API key that may not be used from ${clientAddress(request)}. Go back to an address of its allow list, or sign in with another key.`,
      );
    authorize(deps, null, request, policy, caller, deps.clock.now());
    return caller;
  });
}

// What the route demands beyond a credential: 403, with what to do about it.

function authorize(
  deps: IdentifyDeps,
  seen: AccessView | null,
  request: FastifyRequest,
  policy: Policy,
  caller: Caller,
  nowMs: number,
): void {
  if (!planReaches(caller.plan, policy.plan)) {
    const plans = PLANS.filter((plan) => planReaches(plan, policy.plan)).join(' or ');
    throw forbidden(`This route needs ${plans}; your plan is ${caller.plan}. Upgrade to use it.`);
  }
  if (policy.organization === true && caller.organizationId === null)
    throw forbidden('This route works for an organization. Create or join one, then use a key made in it.');
  // Whoever has no organization is the owner of their own account.
  if (policy.role !== undefined && caller.role !== null && !policy.role.includes(caller.role))
    throw forbidden(
      `This route needs the role ${policy.role.join(' or ')}; yours is ${caller.role}. Ask an owner of the organization.`,
    );
  if (policy.licence === true) demandLicence(deps, seen ?? deps.replica.view(), request, caller, nowMs);
}

function demandLicence(
  deps: IdentifyDeps,
  view: AccessView,
  request: FastifyRequest,
  caller: Caller,
  nowMs: number,
): void {
  const licence = request.headers['x-license-key'];
  if (typeof licence !== 'string' || licence === '')
    throw forbidden('This route also needs an active licence: send it in the X-License-Key header.');
  if (isLicence(licence)) {
    const record = deps.records.findLicence(view, licenceHash(licence));
    if (record === undefined && nowMs - view.contactAtMs > UNKNOWN_STALE_MAX_MS)
      throw refuseStale(
        'This licence is not known here yet and cannot be confirmed right now. Try again shortly.',
      );
    if (record?.account === caller.accountId) {
      if (record.expiresAtMs === null || record.expiresAtMs > nowMs) return;
      throw forbidden('The licence in X-License-Key has expired. Renew it to use this route.');
    }
  }
  throw forbidden('The licence in X-License-Key is not an active licence of this account.');
}

function unauthorized(request: FastifyRequest, message: string, reason: string): ServiceError {
  refusals.inc({ reason });
  const { surface } = request.routeOptions.config as { surface?: string };
  // A browser would answer the challenge with a dialog, so the web surface never sends one.
  return new ServiceError('Unauthorized', message, surface === 'web' ? {} : { headers: CHALLENGE });
}

/** Node joins a repeated X-API-KEY and drops a repeated Authorization: a second one must be seen to be refused. */
function credentialHeaders(request: FastifyRequest): CredentialHeaders {
  const { headers } = request;
  if (headers.authorization === undefined || headers['x-api-key'] !== undefined) return headers;
  const raw = request.raw.rawHeaders;
  let seen = 0;
  for (let i = 0; i < raw.length; i += 2) if (raw[i]?.toLowerCase() === 'authorization') seen += 1;
  return seen > 1 ? { authorization: ['', ''] } : headers;
}
