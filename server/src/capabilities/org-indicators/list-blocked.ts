import { notFound } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { Db } from '#platform/postgres.ts';
import { applyAllowed } from './apply-allowed.ts';
import { type BlocklistStats, type EntityType, entityTypeOfPath } from './contract.ts';
import type { OrgIndicatorsDeps } from './keep-indicators.ts';
import { lastChangeMs, selectInForce } from './store.ts';

/** Reading a page of this size takes some 20 ms; the limit of a statement in a request is 600 ms. */
const PAGE_ROWS = 20_000;

/** One value on each line, sorted by bytes, each line ended by LF (decisions 3.18). */
export async function writeBlocklist(
  { postgres, clock }: OrgIndicatorsDeps,
  { accountId }: Principal,
  name: string,
): Promise<string> {
  const entityType = entityTypeOfPath(name);
  if (entityType === undefined) throw notFound('Blocklist', name);
  const nowMs = clock.now();
  const lines = await postgres.withAccount(accountId, (tx) => blockedLines(tx, accountId, entityType, nowMs));
  return lines.map((line) => `${line}\n`).join('');
}

export async function countBlocked(
  { postgres, clock }: OrgIndicatorsDeps,
  { accountId }: Principal,
): Promise<BlocklistStats> {
  const nowMs = clock.now();
  return postgres.withAccount(accountId, async (tx) => {
    const count = async (type: EntityType) => (await blockedLines(tx, accountId, type, nowMs)).length;
    const [ips, domains, hashes] = [await count('ip'), await count('domain'), await count('hash')];
    const changedMs = await lastChangeMs(tx, accountId);
    return {
      ips,
      domains,
      hashes,
      total: ips + domains + hashes,
      updatedAt: changedMs === null ? null : new Date(changedMs).toISOString(),
    };
  });
}

/** The values of one entity type that an organization allows now. */
export async function listAllowed(
  { postgres, clock }: Pick<OrgIndicatorsDeps, 'postgres' | 'clock'>,
  accountId: string,
  entityType: EntityType,
): Promise<readonly string[]> {
  const nowMs = clock.now();
  return (await postgres.withAccount(accountId, (tx) => inForce(tx, accountId, entityType, nowMs))).allowed;
}

async function blockedLines(
  tx: Db,
  accountId: string,
  entityType: EntityType,
  nowMs: number,
): Promise<readonly string[]> {
  const { blocked, allowed } = await inForce(tx, accountId, entityType, nowMs);
  const left = applyAllowed(blocked, allowed);
  // Sorted again, because the parts that are left of a cut range begin with other addresses than the range.
  return left === blocked ? blocked : [...left].sort();
}

async function inForce(
  tx: Db,
  accountId: string,
  entityType: EntityType,
  nowMs: number,
): Promise<{ readonly blocked: readonly string[]; readonly allowed: readonly string[] }> {
  const blocked: string[] = [];
  const allowed: string[] = [];
  let after = '';
  for (;;) {
    const rows = await selectInForce(tx, accountId, entityType, { after, limit: PAGE_ROWS, nowMs });
    for (const { value, disposition } of rows) (disposition === 'allow' ? allowed : blocked).push(value);
    after = rows.at(-1)?.value ?? '';
    if (rows.length < PAGE_ROWS) return { blocked, allowed };
  }
}
