import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#platform/clock.ts';
import { badRequest, ServiceError } from '#platform/errors.ts';
import type { Gates, ReadAgain } from '#platform/http/gates.ts';
import type { Principal } from '#platform/http/principal.ts';
import { type Db, isConflict, type Postgres } from '#platform/postgres.ts';
import type { Secrets } from '#platform/secrets.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { canonicalJson } from './canonical-json.ts';
import { claimIdempotencyKey, keepReply, selectReply } from './idempotency-store.ts';

export type IdempotencyDeps = {
  readonly postgres: Postgres;
  readonly clock: Clock;
  /** Encrypts stored replies with SECRET_KEY, because a reply may hold a secret that is shown once. */
  readonly secrets: Secrets;
  /** The bytes that the account of a caller may store; absent: any number. */
  readonly bytesOf?: (principal: Principal) => number;
};

/** A reply is kept for 24 hours (reliability D3). */
export const IDEMPOTENCY_KEPT_MS = DAY_MS;
/** Of a longer reply the id is kept, where the route can read again what it wrote. */
const SHORT_REPLY_CHARS = 2_048;
/** Of a route that cannot: the longest one answers 100 indicators with their warnings. */
const REPLY_CHARS_MAX = 131_072;
/** Headers that say something of the body, and would be missing from a retry otherwise. */
const KEPT_HEADERS = ['etag'] as const;
const ATTEMPTS_MAX = 3;
const KEY = /^[\x21-\x7e]{1,255}$/;
const LOCK_NOT_AVAILABLE = '55P03';

export type Idempotency = {
  readonly idempotent: NonNullable<Gates['idempotent']>;
  /**
   * The same pool for use cases: inside an idempotent call, `withAccount` of the same account joins the
   * transaction that holds the key, so that the change and the stored reply are committed together.
   */
  readonly postgres: Postgres;
};

type Claim = {
  readonly accountId: string;
  readonly key: string;
  readonly fingerprint: Buffer;
  readonly storageBytes: number;
};
type Work = { readonly work: () => Promise<unknown>; readonly again: ReadAgain | undefined };
type Headers = Readonly<Record<string, string>>;
type Outcome = {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
  readonly replayed: boolean;
};
type Ambient = { readonly accountId: string; readonly tx: Db };

export function createIdempotency(deps: IdempotencyDeps): Idempotency {
  const ambient = new AsyncLocalStorage<Ambient>();
  /** Running calls of this process: duplicates wait for them here and take no connection. */
  const running = new Map<string, { fingerprint: Buffer; outcome: Promise<Outcome> }>();

  const idempotent: Idempotency['idempotent'] = async (request, reply, principal, work, again) => {
    const key = keyOf(request);
    if (key === null || principal.accountId === '') return work();
    const claim = {
      accountId: principal.accountId,
      key,
      fingerprint: fingerprintOf(request, principal),
      storageBytes: deps.bytesOf?.(principal) ?? Number.MAX_SAFE_INTEGER,
    };
    const slot = `${claim.accountId} ${key}`;
    const first = running.get(slot);
    if (first !== undefined) {
      if (!first.fingerprint.equals(claim.fingerprint)) throw differs(key);
      return replay(request, reply, await first.outcome);
    }
    const once = () => runOnce(deps, ambient, claim, reply, { work, again });
    const outcome = runAgainAfterConflict(once).finally(() => running.delete(slot));
    running.set(slot, { fingerprint: claim.fingerprint, outcome });
    const own = await outcome;
    return own.replayed ? replay(request, reply, own) : own.body;
  };

  const joined: Postgres = {
    ...deps.postgres,
    withAccount: (accountId, work) => {
      const held = ambient.getStore();
      return held?.accountId === accountId ? work(held.tx) : deps.postgres.withAccount(accountId, work);
    },
  };
  return { idempotent, postgres: joined };
}

/**
 * Repeats a transaction that PostgreSQL undid in favor of another one, which is what the caller would do with the same key: nothing
 * of it was kept.
 */
async function runAgainAfterConflict<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isConflict(error)) throw error;
    }
}

/** One transaction: take the key, do the work, store the reply. A failure is rolled back, so a retry runs again. */
async function runOnce(
  deps: IdempotencyDeps,
  ambient: AsyncLocalStorage<Ambient>,
  claim: Claim,
  reply: FastifyReply,
  { work, again }: Work,
): Promise<Outcome> {
  const { accountId, storageBytes } = claim;
  return deps.postgres.withAccount(accountId, async (tx) => {
    const isOurs = await claimKey(deps, tx, claim);
    if (!isOurs)
      return keptOutcome(deps, tx, claim, (id) =>
        ambient.run({ accountId, tx }, async () => again?.read(id)),
      );
    const body = await ambient.run({ accountId, tx }, work);
    const [status, headers] = [reply.statusCode, headersOf(reply)];
    const text = JSON.stringify({ body, headers });
    const isReadAgain = again !== undefined && text.length > SHORT_REPLY_CHARS;
    await keepReply(tx, claim, {
      status,
      storageBytes,
      createdId: again === undefined ? null : again.idOf(body),
      response: isReadAgain ? null : sealReply(deps, claim, text),
    });
    return { status, body, headers, replayed: false };
  });
}

async function claimKey(deps: IdempotencyDeps, tx: Db, claim: Claim): Promise<boolean> {
  try {
    return await claimIdempotencyKey(tx, claim, deps.clock.now(), IDEMPOTENCY_KEPT_MS);
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new ServiceError(
      'Conflict',
      `A request with Idempotency-Key '${claim.key}' is still running. Try again shortly.`,
      { headers: { 'Retry-After': '1' }, cause: error },
    );
  }
}

/** The first reply where it was kept, else what it told of, as it is now. */
async function keptOutcome(
  deps: IdempotencyDeps,
  tx: Db,
  claim: Claim,
  readAgain: (id: string) => Promise<unknown>,
): Promise<Outcome> {
  const kept = await selectReply(tx, claim.accountId, claim.key);
  if (kept === undefined || !kept.fingerprint.equals(claim.fingerprint)) throw differs(claim.key);
  if (kept.response === null) {
    if (kept.createdId === null || kept.status === null) throw carriedOut(claim, 'its reply was not kept');
    const body = await readAgain(kept.createdId).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.status !== 404) throw error;
      throw carriedOut(claim, `'${kept.createdId}' was deleted since`);
    });
    return { status: kept.status, body, headers: {}, replayed: true };
  }
  const opened = deps.secrets.open(kept.response, contextOf(claim));
  if (opened === null || kept.status === null) throw carriedOut(claim, 'its reply can no longer be read');
  // Replies of an earlier release have no headers.
  const { body, headers = {} } = JSON.parse(opened.toString('utf8')) as {
    body?: unknown;
    headers?: Headers;
  };
  return { status: kept.status, body, headers, replayed: true };
}

const carriedOut = ({ key }: Claim, what: string): ServiceError =>
  new ServiceError(
    'Conflict',
    `The request with Idempotency-Key '${key}' was carried out, but ${what}. Look at the result instead of repeating it.`,
  );

function headersOf(reply: FastifyReply): Headers {
  const set = KEPT_HEADERS.map((name) => [name, reply.getHeader(name)] as const);
  return Object.fromEntries(
    set.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

/** Seals a reply for storage, because it may hold a secret that is shown once; null when it is too long. */
function sealReply(deps: IdempotencyDeps, claim: Claim, text: string): Buffer | null {
  return text.length > REPLY_CHARS_MAX ? null : deps.secrets.seal(Buffer.from(text), contextOf(claim));
}

const contextOf = ({ accountId, key }: Claim): string => `idempotency:${accountId}:${key}`;

/** The first request paid; its repeats cost nothing. */
function replay(request: FastifyRequest, reply: FastifyReply, outcome: Outcome): unknown {
  request.exchange?.giveBack();
  void reply.code(outcome.status).headers(outcome.headers).header('Idempotent-Replayed', 'true');
  return outcome.body;
}

const differs = (key: string): ServiceError =>
  new ServiceError(
    'Conflict',
    `Idempotency-Key '${key}' was already used for a different request. Use a new key for a new request.`,
  );

function keyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !KEY.test(key))
    throw badRequest('Idempotency-Key must be 1 to 255 printable characters without spaces.');
  return key;
}

/** The user is part of it: a member must not see the secret that another member's request created. */
const fingerprintOf = (request: FastifyRequest, principal: Principal): Buffer =>
  hash(
    'sha256',
    canonicalJson([principal.userId, request.method, request.url, request.body ?? null]),
    'buffer',
  );
