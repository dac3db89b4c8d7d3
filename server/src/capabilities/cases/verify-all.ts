import { firstSealHash, headsRootOf, merkleRoot, sealHash } from '#domain/cases/index.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { sha256Of } from '#platform/sha256.ts';
import {
  digestAudit,
  isErased,
  type RootRow,
  type SealRow,
  selectHeads,
  selectRoots,
  selectSealedAccounts,
  selectSeals,
  selectSealsOfDay,
} from './seal-store.ts';
import { type CaseRow, selectCases, selectEvidence } from './store.ts';
import { judge } from './verify-case.ts';

/** A mismatch found, and where. */
export type Broken = {
  readonly accountId: string | null;
  readonly caseId: string | null;
  /** Position of the piece of evidence in its case, from 1. */
  readonly position: number | null;
  readonly day: string | null;
  readonly message: string;
};

export type Verification = {
  readonly accounts: number;
  readonly cases: number;
  readonly pieces: number;
  readonly seals: number;
  readonly roots: number;
  readonly broken: readonly Broken[];
};

export type VerifyOptions = {
  /** Verifies this account alone; its seals are still compared with the public roots. */
  readonly accountId?: string;
  /** Public roots by day that someone noted outside of this database, to be compared with the stored ones. */
  readonly noted?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

const ACCOUNTS_AT_ONCE = 100;
const CASES_AT_ONCE = 50;
const ROOTS_MAX = 100_000;
const nowhere = { accountId: null, caseId: null, position: null, day: null } as const;

/** Reads every chain again: evidence, seals, audit trail, roots. For operators; changes nothing. */
export async function verifyAll(
  { db }: Pick<Postgres, 'db'>,
  { accountId, noted = {}, signal }: VerifyOptions = {},
): Promise<Verification> {
  const totals = { accounts: 0, cases: 0, pieces: 0, seals: 0 };
  const broken: Broken[] = [];
  const visit = async (id: string): Promise<void> => {
    signal?.throwIfAborted();
    const found = await verifyAccount(db, id);
    totals.accounts += 1;
    totals.cases += found.cases;
    totals.pieces += found.pieces;
    totals.seals += found.seals;
    broken.push(...found.broken);
  };
  if (accountId !== undefined) await visit(accountId);
  else
    for (let after = ''; ; ) {
      const accounts = await selectSealedAccounts(db, after, ACCOUNTS_AT_ONCE);
      for (const id of accounts) await visit(id);
      after = accounts.at(-1) ?? '';
      if (accounts.length < ACCOUNTS_AT_ONCE) break;
    }
  const roots = await selectRoots(db, ROOTS_MAX);
  broken.push(...(await verifyRoots(db, roots, noted)));
  return { ...totals, roots: roots.length, broken };
}

async function verifyAccount(
  db: Db,
  accountId: string,
): Promise<Pick<Verification, 'cases' | 'pieces' | 'seals' | 'broken'>> {
  const broken: Broken[] = [];
  const seals = await selectSeals(db, accountId);
  broken.push(...(await verifySeals(db, accountId, seals)));
  const seen = new Set<string>();
  let pieces = 0;
  for (let cursor: string | undefined; ; ) {
    const page = await selectCases(db, accountId, {
      limit: CASES_AT_ONCE - 1,
      ...(cursor !== undefined && { cursor }),
    });
    for (const row of page) {
      seen.add(row.id);
      pieces += row.evidenceCount;
      broken.push(...(await verifyRow(db, row)));
    }
    cursor = page.at(-1)?.id;
    if (page.length < CASES_AT_ONCE) break;
  }
  const sealed = new Set((await selectHeads(db, accountId)).map(({ caseId }) => caseId));
  const gone = [...sealed].filter((id) => !seen.has(id));
  if (gone.length > 0 && !(await isErased(db, accountId)))
    for (const caseId of gone)
      broken.push({
        ...nowhere,
        accountId,
        caseId,
        position: 1,
        message: 'The case was sealed and is gone.',
      });
  return { cases: seen.size, pieces, seals: seals.length, broken };
}

async function verifyRow(db: Db, row: CaseRow): Promise<readonly Broken[]> {
  const verdict = await judge(db, row, await selectEvidence(db, row.accountId, [row.id]));
  if (verdict.ok) return [];
  const { accountId, id: caseId } = row;
  return [
    {
      accountId,
      caseId,
      position: verdict.brokenAt,
      day: null,
      message: verdict.reason ?? 'It does not fit.',
    },
  ];
}

async function verifySeals(db: Db, accountId: string, seals: readonly SealRow[]): Promise<readonly Broken[]> {
  const audit = await digestAudit(db, accountId);
  const heads = Map.groupBy(await selectHeads(db, accountId), ({ day }) => day);
  const broken: Broken[] = [];
  let previous = firstSealHash(accountId);
  for (const seal of seals) {
    const tell = (message: string) => broken.push({ ...nowhere, accountId, day: seal.day, message });
    if (seal.previous !== previous) tell('The seal does not name the seal before it.');
    if (sealHash(seal) !== seal.hash) tell('The hash of the seal does not fit the seal.');
    const entries = audit.get(seal.day);
    if ((entries?.entries ?? 0) !== seal.auditEntries || (entries?.hash ?? sha256Of('')) !== seal.auditHash)
      tell(`The audit entries of this seal are not the ${seal.auditEntries} that were sealed.`);
    const sealed = heads.get(seal.day) ?? [];
    if (sealed.length !== seal.heads || headsRootOf(sealed) !== seal.headsRoot)
      tell(`The heads of cases of this seal are not the ${seal.heads} that were sealed.`);
    previous = seal.hash;
  }
  const known = new Set(seals.map(({ day }) => day));
  for (const day of new Set([...heads.keys(), ...audit.keys()]))
    if (!known.has(day))
      broken.push({ ...nowhere, accountId, day, message: 'The seal of this day is gone.' });
  return broken;
}

async function verifyRoots(
  db: Db,
  roots: readonly RootRow[],
  noted: Readonly<Record<string, string>>,
): Promise<readonly Broken[]> {
  const broken: Broken[] = [];
  for (const { day, root } of roots) {
    const hashes = (await selectSealsOfDay(db, day)).map(({ hash }) => hash);
    if (merkleRoot(hashes) !== root)
      broken.push({ ...nowhere, day, message: 'The seals of this day do not give its root.' });
  }
  const kept = new Map(roots.map(({ day, root }) => [day, root]));
  for (const [day, root] of Object.entries(noted))
    if (kept.get(day) !== root)
      broken.push({
        ...nowhere,
        day,
        message: `The root that was noted is ${root}; this database has ${kept.get(day) ?? 'none'}.`,
      });
  return broken;
}
