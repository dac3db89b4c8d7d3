import type { Clock } from '#platform/clock.ts';
import { badRequest, notFound, ServiceError } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { appendChanges } from '#platform/replica/change-log.ts';
import type { Secrets } from '#platform/secrets.ts';
import { type Actor, recordAudit } from './audit.ts';
import { normalizeCidr } from './client-address.ts';
import { credentialOf, newPair, newSecret, type Pair } from './key-format.ts';
import { accessDataset } from './key-records.ts';
import { endSessionsOfKey } from './session-store.ts';
import {
  countActiveKeys,
  insertKey,
  type KeyRow,
  listActiveKeys,
  lockAccountKeys,
  lockActiveKey,
  markRevoked,
  replaceSecret,
} from './store.ts';

export type ManageKeysDeps = { readonly postgres: Postgres; readonly clock: Clock; readonly pepper: Secrets };

/** Whose keys a caller may see and change: all of the account's, or only those of one of its users. */
export type KeyScope = { readonly accountId: string; readonly userId: string | null };

/** A key with its secret: the only moment at which the secret can be read (decisions 1.3). */
export type RevealedKey = KeyRow & { readonly apiSecret: string; readonly credential: string };

export const KEYS_PER_ACCOUNT_MAX = 100;
/** Reliability 3.K: after a rotation the old secret lives on for a day at most. */
export const ROTATION_OVERLAP_MAX_MS = 86_400_000;

export const listKeys = (
  deps: Pick<ManageKeysDeps, 'postgres'>,
  scope: KeyScope,
): Promise<readonly KeyRow[]> =>
  deps.postgres.withAccount(scope.accountId, (tx) =>
    listActiveKeys(tx, scope.accountId, scope.userId, KEYS_PER_ACCOUNT_MAX),
  );

/** By id or apiKey, in any account: for administration, through the system pool. */
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
  },
): Promise<RevealedKey> {
  const nowMs = deps.clock.now();
  const pair = newPair();
  const allowedCidrs = normalizeCidrs(wanted.allowedCidrs);
  return deps.postgres.withAccount(wanted.accountId, async (tx) => {
    await lockAccountKeys(tx, wanted.accountId);
    if ((await countActiveKeys(tx, wanted.accountId)) >= KEYS_PER_ACCOUNT_MAX)
      throw new ServiceError(
        'Conflict',
        `An account holds at most ${KEYS_PER_ACCOUNT_MAX} keys. Revoke one that is no longer used.`,
      );
    const id = newId('key', nowMs);
    const { hmac, pepperVersion } = storedForm(deps.pepper, pair.apiSecret);
    const key = await insertKey(
      tx,
      { ...wanted, id, apiKey: pair.apiKey, secretHmac: hmac, pepperVersion, allowedCidrs },
      nowMs,
    );
    return reveal(await changed(tx, actor, 'key.create', null, key, nowMs), pair);
  });
}

/** Gone at once for every node that follows the log, with the sessions it opened; the row stays for the audit trail. */
export async function revokeKey(
  deps: Pick<ManageKeysDeps, 'postgres' | 'clock'>,
  actor: Actor,
  scope: KeyScope,
  idOrApiKey: string,
): Promise<KeyRow> {
  const nowMs = deps.clock.now();
  return deps.postgres.withAccount(scope.accountId, async (tx) => {
    const key = await lockKeyInScope(tx, scope, idOrApiKey);
    await markRevoked(tx, key.id, nowMs);
    await endSessionsOfKey(tx, key.id, nowMs);
    await changed(tx, actor, 'key.revoke', key, null, nowMs, key);
    return key;
  });
}

/** A new secret under the same apiKey; the old one is accepted until the overlap ends. */
export async function rotateKey(
  deps: ManageKeysDeps,
  actor: Actor,
  scope: KeyScope,
  idOrApiKey: string,
  overlapMs: number,
): Promise<RevealedKey> {
  const nowMs = deps.clock.now();
  const previousUntilMs = overlapMs === 0 ? null : nowMs + Math.min(overlapMs, ROTATION_OVERLAP_MAX_MS);
  const apiSecret = newSecret();
  return deps.postgres.withAccount(scope.accountId, async (tx) => {
    const key = await lockKeyInScope(tx, scope, idOrApiKey);
    const secret = { ...storedForm(deps.pepper, apiSecret), previousUntilMs };
    const rotated = await replaceSecret(tx, key.id, secret, nowMs);
    // Whoever holds the old secret may hold a session too: both end together.
    await endSessionsOfKey(tx, key.id, previousUntilMs ?? nowMs);
    return reveal(await changed(tx, actor, 'key.rotate', key, rotated, nowMs), {
      apiKey: key.apiKey,
      apiSecret,
    });
  });
}

/** Another account's key, or another member's, reads as one that does not exist. */
async function lockKeyInScope(tx: Db, scope: KeyScope, idOrApiKey: string): Promise<KeyRow> {
  const key = await lockActiveKey(tx, idOrApiKey);
  const inScope =
    key !== undefined &&
    key.accountId === scope.accountId &&
    (scope.userId === null || key.userId === scope.userId);
  if (!inScope) throw notFound('API key', idOrApiKey);
  return key;
}

/** The audit entry, and as the last step the log entry that carries the change to every node. */
async function changed(
  tx: Db,
  actor: Actor,
  action: string,
  before: KeyRow | null,
  after: KeyRow | null | undefined,
  nowMs: number,
  subject: KeyRow | null | undefined = after,
): Promise<KeyRow> {
  if (subject === null || subject === undefined) throw new Error(`${action} returned no row.`);
  const entry = { accountId: subject.accountId, actor, action, target: subject.id, before, after, nowMs };
  await recordAudit(tx, entry);
  await appendChanges(tx, accessDataset.name, 'key', [Buffer.from(subject.apiKey)]);
  return subject;
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
