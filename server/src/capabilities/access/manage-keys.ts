import type { Clock } from '#platform/clock.ts';
import { badRequest, forbidden, notFound, ServiceError } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { appendChanges } from '#platform/replica/change-log.ts';
import type { Secrets } from '#platform/secrets.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { type Actor, recordAudit } from './audit.ts';
import { normalizeCidr } from './client-address.ts';
import { inheritCidrs } from './inherit-cidrs.ts';
import { credentialOf, newPair, newSecret, type Pair } from './key-format.ts';
import { accessDataset } from './key-records.ts';
import { countSessionsByKey, endSessionsOfKey } from './session-store.ts';
import { SESSION_IDLE_MS } from './sessions.ts';
import {
  countActiveKeys,
  insertKey,
  type KeyRow,
  listActiveKeys,
  lockAccountKeys,
  lockActiveKey,
  markRevoked,
  moveChildren,
  replaceSecret,
  selectDescendants,
} from './store.ts';

export type ManageKeysDeps = { readonly postgres: Postgres; readonly clock: Clock; readonly pepper: Secrets };

/** The keys a caller may see and change: all of the account, or only those of one user. */
export type KeyScope = { readonly accountId: string; readonly userId: string | null };

/** A key with its secret, which can be read only now (decisions 1.3). */
export type RevealedKey = KeyRow & { readonly apiSecret: string; readonly credential: string };

export const KEYS_PER_ACCOUNT_MAX = 100;
/** After a rotation the old secret stays valid for a day at most (reliability 3.K). */
export const ROTATION_OVERLAP_MAX_MS = DAY_MS;

/** The keys of a scope, and how many sessions each of them has open. */
export const listKeys = (
  { postgres, clock }: Pick<ManageKeysDeps, 'postgres' | 'clock'>,
  { accountId, userId }: KeyScope,
): Promise<{
  readonly keys: readonly KeyRow[];
  readonly openSessions: ReadonlyMap<string, number>;
}> =>
  postgres.withAccount(accountId, async (tx) => ({
    keys: await listActiveKeys(tx, accountId, userId, KEYS_PER_ACCOUNT_MAX),
    openSessions: await countSessionsByKey(tx, accountId, clock.now(), SESSION_IDLE_MS, KEYS_PER_ACCOUNT_MAX),
  }));

export const findKey = (
  deps: Pick<ManageKeysDeps, 'postgres'>,
  idOrApiKey: string,
): Promise<KeyRow | undefined> => deps.postgres.transaction((tx) => lockActiveKey(tx, idOrApiKey));

/** Across accounts, newest first; null leaves a condition out. For administration, through the system pool. */
export const listKeysOf = (
  deps: Pick<ManageKeysDeps, 'postgres'>,
  accountId: string | null,
  limit: number,
): Promise<readonly KeyRow[]> =>
  deps.postgres.transaction((tx) => listActiveKeys(tx, accountId, null, limit));

export async function createKey(
  deps: ManageKeysDeps,
  actor: Actor,
  wanted: {
    readonly accountId: string;
    readonly userId: string;
    readonly label: string;
    readonly allowedCidrs: readonly string[];
    readonly canSignIn?: boolean;
    /** The key whose session makes this one, if any: the new key may do at most what that key may. */
    readonly parentId?: string | null;
  },
): Promise<RevealedKey> {
  const nowMs = deps.clock.now();
  const pair = newPair();
  const parentId = wanted.parentId ?? null;
  const wantedCidrs = normalizeCidrs(wanted.allowedCidrs);
  return deps.postgres.withAccount(wanted.accountId, async (tx) => {
    await lockAccountKeys(tx, wanted.accountId);
    if ((await countActiveKeys(tx, wanted.accountId)) >= KEYS_PER_ACCOUNT_MAX)
      throw new ServiceError(
        'Conflict',
        `An account holds at most ${KEYS_PER_ACCOUNT_MAX} keys. Revoke one that is no longer used.`,
      );
    const parent = parentId === null ? null : await lockActiveKey(tx, parentId);
    if (parent === undefined)
      throw new ServiceError('Unauthorized', 'This session has ended. Sign in again.');
    const allowedCidrs = inheritCidrs(parent?.allowedCidrs ?? [], wantedCidrs);
    const canSignIn = wanted.canSignIn ?? true;
    const id = newId('key', nowMs);
    const { hmac, pepperVersion } = storedForm(deps.pepper, pair.apiSecret);
    const key = await insertKey(
      tx,
      {
        ...wanted,
        id,
        apiKey: pair.apiKey,
        secretHmac: hmac,
        pepperVersion,
        allowedCidrs,
        parentId,
        canSignIn,
      },
      nowMs,
    );
    return reveal(await changed(tx, actor, 'key.create', null, key, nowMs), pair);
  });
}

/** The session that asks for the change: the key that opened it, or null for a session opened in another way. */
export type KeyChange = { readonly sessionKeyId?: string | null };

/**
 * Revokes a key, the keys made in its sessions, and the sessions of all of them, on every node that follows the log; the
 * rows stay for the audit trail. `keepsDescendants` moves the keys made in its sessions to the key before it instead.
 */
export async function revokeKey(
  deps: Pick<ManageKeysDeps, 'postgres' | 'clock'>,
  actor: Actor,
  scope: KeyScope,
  idOrApiKey: string,
  { sessionKeyId = null, keepsDescendants = false }: KeyChange & { readonly keepsDescendants?: boolean } = {},
): Promise<KeyRow> {
  const nowMs = deps.clock.now();
  return deps.postgres.withAccount(scope.accountId, async (tx) => {
    // Without the lock a key made at the same time in a session of one of these would survive.
    await lockAccountKeys(tx, scope.accountId);
    const key = await lockKeyInScope(tx, scope, idOrApiKey);
    const descendants = await selectDescendants(tx, key.id, KEYS_PER_ACCOUNT_MAX);
    if (keepsDescendants) {
      // Otherwise someone who stole this key could revoke it and keep the keys that they made with it.
      if ([key, ...descendants].some(({ id }) => id === sessionKeyId))
        throw forbidden(
          'A session of this key, or of a key made with it, cannot keep those keys. Sign in with another key pair to keep them.',
        );
      await moveChildren(tx, key.id, key.parentId);
    }
    const ended = keepsDescendants ? [key] : [key, ...descendants];
    for (const { id } of ended) {
      await markRevoked(tx, id, nowMs);
      await endSessionsOfKey(tx, id, nowMs);
    }
    await noteChange(
      tx,
      actor,
      'key.revoke',
      ended.map((before) => ({ before, after: null })),
      nowMs,
    );
    return key;
  });
}

/**
 * Gives a key a new secret. Keys made in its sessions stay, because they have secrets of their own and a rotation is
 * routine; after a leak the key is revoked.
 */
export async function rotateKey(
  deps: ManageKeysDeps,
  actor: Actor,
  scope: KeyScope,
  idOrApiKey: string,
  overlapMs: number,
  { sessionKeyId = null }: KeyChange = {},
): Promise<RevealedKey> {
  const nowMs = deps.clock.now();
  const previousUntilMs = overlapMs === 0 ? null : nowMs + Math.min(overlapMs, ROTATION_OVERLAP_MAX_MS);
  const apiSecret = newSecret();
  return deps.postgres.withAccount(scope.accountId, async (tx) => {
    const key = await lockKeyInScope(tx, scope, idOrApiKey);
    if (sessionKeyId !== null) await demandLineage(tx, sessionKeyId, key.id);
    const secret = { ...storedForm(deps.pepper, apiSecret), previousUntilMs };
    const rotated = await replaceSecret(tx, key.id, secret, nowMs);
    // A holder of the old secret may hold a session too, so both end together.
    await endSessionsOfKey(tx, key.id, previousUntilMs ?? nowMs);
    return reveal(await changed(tx, actor, 'key.rotate', key, rotated, nowMs), {
      apiKey: key.apiKey,
      apiSecret,
    });
  });
}

/** Rotating reveals a secret, so a session of one key must not reach a key that may do more. */
async function demandLineage(tx: Db, sessionKeyId: string, id: string): Promise<void> {
  if (id === sessionKeyId) return;
  const descendants = await selectDescendants(tx, sessionKeyId, KEYS_PER_ACCOUNT_MAX);
  if (descendants.some((key) => key.id === id)) return;
  throw forbidden(
    "A session opened with an API key can rotate only that key and the keys made with it. To rotate this one, sign in with this key's own pair.",
  );
}

/** A key of another account or another member is answered as a missing one. */
async function lockKeyInScope(tx: Db, scope: KeyScope, idOrApiKey: string): Promise<KeyRow> {
  const key = await lockActiveKey(tx, idOrApiKey);
  const inScope =
    key !== undefined &&
    key.accountId === scope.accountId &&
    (scope.userId === null || key.userId === scope.userId);
  if (!inScope) throw notFound('API key', idOrApiKey);
  return key;
}

type KeyStates = { readonly before: KeyRow | null; readonly after: KeyRow | null };

/** Writes the audit entries and, last, the log entries that replicate the changes to every node. */
async function noteChange(
  tx: Db,
  actor: Actor,
  action: string,
  changes: readonly KeyStates[],
  nowMs: number,
): Promise<void> {
  const subjects = changes.flatMap(({ before, after }) => after ?? before ?? []);
  for (const [index, { id, accountId }] of subjects.entries())
    await recordAudit(tx, { accountId, actor, action, target: id, ...statesAt(changes, index), nowMs });
  const keys = subjects.map(({ apiKey }) => Buffer.from(apiKey));
  await appendChanges(tx, accessDataset.name, 'key', keys);
}

const statesAt = (changes: readonly KeyStates[], index: number): KeyStates =>
  changes[index] ?? { before: null, after: null };

async function changed(
  tx: Db,
  actor: Actor,
  action: string,
  before: KeyRow | null,
  after: KeyRow | undefined,
  nowMs: number,
): Promise<KeyRow> {
  if (after === undefined) throw new Error(`${action} returned no row.`);
  await noteChange(tx, actor, action, [{ before, after }], nowMs);
  return after;
}

function storedForm(pepper: Secrets, apiSecret: string): { hmac: Buffer; pepperVersion: number } {
  const hmac = pepper.hmacUnder(pepper.newest, apiSecret);
  if (hmac === undefined) throw new Error('KEY_PEPPER has no newest version.');
  return { hmac, pepperVersion: pepper.newest };
}

const reveal = (key: KeyRow, pair: Pair): RevealedKey => ({
  ...key,
  apiSecret: pair.apiSecret,
  credential: credentialOf(pair),
});

function normalizeCidrs(cidrs: readonly string[]): readonly string[] {
  const normalized = cidrs.map((text) => {
    const cidr = normalizeCidr(text);
    if (cidr === null) throw badRequest(`'${text}' is not an address or range such as 203.0.113.0/24.`);
    return cidr;
  });
  return [...new Set(normalized)];
}
