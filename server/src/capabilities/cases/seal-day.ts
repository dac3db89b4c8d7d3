import { recordAudit } from '#capabilities/access/index.ts';
import {
  firstSealHash,
  headsRootOf,
  merklePaths,
  merkleRoot,
  type PathStep,
  sealHash,
} from '#domain/cases/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { JobContext } from '#platform/jobs.ts';
import type { Db } from '#platform/postgres.ts';
import { sha256Of } from '#platform/sha256.ts';
import { DAY_MS } from '#platform/time-units.ts';
import {
  hasRoot,
  insertCaseSeals,
  insertPaths,
  insertRoot,
  insertSeal,
  sealAudit,
  sealHeads,
  selectLastSeal,
  selectRootless,
  selectSealsOfDay,
  selectUnsealed,
} from './seal-store.ts';

const ACCOUNTS_AT_ONCE = 100;
const PATHS_AT_ONCE = 1_000;
const SYSTEM = { kind: 'system', id: 'cases.seal', ip: '', requestId: '' } as const;

export type Sealed = { readonly day: string; readonly seals: number; readonly roots: number };

/**
 * Seals the day before this one: for each account the audit entries that no seal covers and the heads of the cases that grew,
 * then one root over all seals. A run that is stopped goes on where it was; after the root nothing is added to a day.
 */
export async function sealDay(
  clock: Clock,
  { transaction, signal }: Pick<JobContext, 'transaction' | 'signal'>,
): Promise<Sealed> {
  const beforeMs = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  const day = new Date(beforeMs - DAY_MS).toISOString().slice(0, 10);
  if (await transaction((tx) => hasRoot(tx, day))) return { day, seals: 0, roots: 0 };
  let seals = 0;
  for (;;) {
    const accounts = await transaction((tx) => selectUnsealed(tx, day, beforeMs, ACCOUNTS_AT_ONCE));
    if (accounts.length === 0) break;
    for (const accountId of accounts) {
      signal.throwIfAborted();
      await transaction((tx) => sealAccount(tx, accountId, { day, beforeMs, nowMs: clock.now() }));
      seals += 1;
    }
  }
  const days = await transaction((tx) => selectRootless(tx, day));
  for (const each of days) await transaction((tx) => writeRoot(tx, each, clock.now()));
  return { day, seals, roots: days.length };
}

type Moment = { readonly day: string; readonly beforeMs: number; readonly nowMs: number };

async function sealAccount(tx: Db, accountId: string, { day, beforeMs, nowMs }: Moment): Promise<void> {
  const last = await selectLastSeal(tx, accountId);
  const audit = await sealAudit(tx, accountId, day, beforeMs);
  const heads = await sealHeads(tx, accountId);
  const seal = {
    accountId,
    day,
    previous: last?.hash ?? firstSealHash(accountId),
    auditEntries: audit.entries,
    auditHash: audit.hash ?? sha256Of(''),
    heads: heads.length,
    headsRoot: headsRootOf(heads),
  };
  const hash = sealHash(seal);
  await insertCaseSeals(tx, accountId, day, heads);
  await insertSeal(tx, { ...seal, hash });
  // A seal without heads writes no audit entry: the entry would need the next seal, so idle accounts got one every day.
  if (heads.length === 0) return;
  await recordAudit(tx, {
    accountId,
    actor: SYSTEM,
    action: 'case.seal',
    target: day,
    before: null,
    after: seal,
    detail: { heads: String(heads.length), hash },
    nowMs,
  });
}

async function writeRoot(tx: Db, day: string, nowMs: number): Promise<void> {
  const seals = await selectSealsOfDay(tx, day);
  const hashes = seals.map(({ hash }) => hash);
  const paths = merklePaths(hashes);
  await insertRoot(tx, { day, root: merkleRoot(hashes), accounts: seals.length }, nowMs);
  for (let from = 0; from < seals.length; from += PATHS_AT_ONCE) {
    const some = seals.slice(from, from + PATHS_AT_ONCE);
    await insertPaths(
      tx,
      day,
      some.map(({ accountId }, at) => ({ accountId, path: pathAt(paths, from + at) })),
    );
  }
}

const pathAt = (paths: readonly (readonly PathStep[])[], at: number): readonly PathStep[] => paths[at] ?? [];
