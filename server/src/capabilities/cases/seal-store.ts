import type { CaseHead, PathStep, Seal, SealedHead } from '#domain/cases/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/** SQL of the seals: the job writes them as `assay_system`, and each account reads its own. */

const day = (column: string) => sql`to_char(${sql.ref(column)}, 'YYYY-MM-DD')`;

/** The line of text that is hashed for an audit entry: every column except the day of its seal. */
const AUDIT_LINE = sql`json_build_array(id, actor_kind, actor_id, action, target, encode(before_hash, 'hex'),
  encode(after_hash, 'hex'), detail, ip, request_id, (date_part('epoch', at) * 1000000)::bigint)::text`;
const AUDIT_HASH = sql`encode(sha256(convert_to(string_agg(${AUDIT_LINE}, E'\n' order by id collate "C"), 'UTF8')), 'hex')`;

/** Accounts that have unsealed audit entries or evidence, and no seal of this day yet. */
export async function selectUnsealed(
  tx: Db,
  sealDay: string,
  beforeMs: number,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select account_id as id
      from (select account_id from audit_entry where sealed_on is null and at < ${timestampOf(beforeMs)}
            union select account_id from action_case where sealed_count < evidence_count) open
     where not exists (select 1 from account_seal s where s.account_id = open.account_id and s.day = ${sealDay}::date)
     order by 1 limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

export type AuditDigest = { readonly entries: number; readonly hash: string | null };

export async function sealAudit(
  tx: Db,
  accountId: string,
  sealDay: string,
  beforeMs: number,
): Promise<AuditDigest> {
  const { rows } = await sql<AuditDigest>`
    with sealed as (
      update audit_entry set sealed_on = ${sealDay}::date
       where account_id = ${accountId} and sealed_on is null and at < ${timestampOf(beforeMs)}
      returning *)
    select count(*)::int as entries, ${AUDIT_HASH} as hash from sealed`.execute(tx);
  return rows[0] ?? { entries: 0, hash: null };
}

export async function sealHeads(tx: Db, accountId: string): Promise<readonly CaseHead[]> {
  const { rows } = await sql<CaseHead>`
    with grown as (
      update action_case set sealed_count = evidence_count
       where account_id = ${accountId} and sealed_count < evidence_count
      returning id, evidence_count, head_hash)
    select id as "caseId", evidence_count as length, encode(head_hash, 'hex') as hash from grown order by id`.execute(
    tx,
  );
  return rows;
}

export async function insertCaseSeals(
  tx: Db,
  accountId: string,
  sealDay: string,
  heads: readonly CaseHead[],
): Promise<void> {
  if (heads.length === 0) return;
  await sql`
    insert into case_seal (account_id, day, case_id, length, hash)
    select ${accountId}, ${sealDay}::date, "caseId", length, decode(hash, 'hex')
      from json_to_recordset(${JSON.stringify(heads)}::json) as head ("caseId" text, length int, hash text)`.execute(
    tx,
  );
}

export type SealRow = Seal & { readonly hash: string };

export async function insertSeal(tx: Db, seal: SealRow): Promise<void> {
  await sql`
    insert into account_seal (account_id, day, previous_hash, audit_entries, audit_hash, heads, heads_root, hash)
    values (${seal.accountId}, ${seal.day}::date, decode(${seal.previous}, 'hex'), ${seal.auditEntries},
            decode(${seal.auditHash}, 'hex'), ${seal.heads}, decode(${seal.headsRoot}, 'hex'),
            decode(${seal.hash}, 'hex'))`.execute(tx);
}

const SEAL = sql`
  account_id as "accountId", ${day('day')} as day, encode(previous_hash, 'hex') as previous,
  audit_entries as "auditEntries", encode(audit_hash, 'hex') as "auditHash", heads,
  encode(heads_root, 'hex') as "headsRoot", encode(hash, 'hex') as hash`;

/** Oldest first. */
export async function selectSeals(tx: Db, accountId: string): Promise<readonly SealRow[]> {
  const { rows } = await sql<SealRow>`
    select ${SEAL} from account_seal where account_id = ${accountId} order by account_seal.day`.execute(tx);
  return rows;
}

export async function selectLastSeal(tx: Db, accountId: string): Promise<SealRow | undefined> {
  const { rows } = await sql<SealRow>`
    select ${SEAL} from account_seal where account_id = ${accountId} order by account_seal.day desc limit 1`.execute(
    tx,
  );
  return rows[0];
}

export async function selectSealsOfDay(tx: Db, sealDay: string): Promise<readonly SealRow[]> {
  const { rows } = await sql<SealRow>`
    select ${SEAL} from account_seal where day = ${sealDay}::date order by account_id collate "C"`.execute(
    tx,
  );
  return rows;
}

/** The sealed heads of one case, oldest first. */
export async function selectHeadsOfCase(
  tx: Db,
  accountId: string,
  caseId: string,
): Promise<readonly SealedHead[]> {
  const { rows } = await sql<SealedHead>`
    select ${day('day')} as day, length, encode(hash, 'hex') as hash
      from case_seal where case_id = ${caseId} and account_id = ${accountId} order by case_seal.day`.execute(
    tx,
  );
  return rows;
}

export type DayHead = CaseHead & { readonly day: string };

/** Every sealed head of an account, by day and case. */
export async function selectHeads(tx: Db, accountId: string): Promise<readonly DayHead[]> {
  const { rows } = await sql<DayHead>`
    select ${day('day')} as day, case_id as "caseId", length, encode(hash, 'hex') as hash
      from case_seal where account_id = ${accountId} order by case_seal.day, case_id`.execute(tx);
  return rows;
}

export async function selectHeadsOfDay(
  tx: Db,
  accountId: string,
  sealDay: string,
): Promise<readonly CaseHead[]> {
  const { rows } = await sql<CaseHead>`
    select case_id as "caseId", length, encode(hash, 'hex') as hash
      from case_seal where account_id = ${accountId} and day = ${sealDay}::date order by case_id`.execute(tx);
  return rows;
}

/** The digest of the entries that each seal of an account covers. */
export async function digestAudit(tx: Db, accountId: string): Promise<ReadonlyMap<string, AuditDigest>> {
  const { rows } = await sql<AuditDigest & { day: string }>`
    select ${day('sealed_on')} as day, count(*)::int as entries, ${AUDIT_HASH} as hash
      from audit_entry where account_id = ${accountId} and sealed_on is not null group by sealed_on`.execute(
    tx,
  );
  return new Map(rows.map((row) => [row.day, row]));
}

/** Days whose seals are complete and have no root yet. */
export async function selectRootless(tx: Db, upTo: string): Promise<readonly string[]> {
  const { rows } = await sql<{ day: string }>`
    select ${day('open.day')} as day
      from (select day from account_seal where day <= ${upTo}::date union select ${upTo}::date) open
     where not exists (select 1 from evidence_root r where r.day = open.day) order by open.day`.execute(tx);
  return rows.map((row) => row.day);
}

export async function hasRoot(tx: Db, sealDay: string): Promise<boolean> {
  const { rows } = await sql`select 1 from evidence_root where day = ${sealDay}::date`.execute(tx);
  return rows.length > 0;
}

export type RootRow = { readonly day: string; readonly root: string; readonly accounts: number };

export async function insertRoot(tx: Db, { day: of, root, accounts }: RootRow, nowMs: number): Promise<void> {
  await sql`
    insert into evidence_root (day, root, seals, created_at)
    values (${of}::date, decode(${root}, 'hex'), ${accounts}, ${timestampOf(nowMs)})`.execute(tx);
}

/** Newest first. */
export async function selectRoots(db: Db, limit: number): Promise<readonly RootRow[]> {
  const { rows } = await sql<RootRow>`
    select ${day('day')} as day, encode(root, 'hex') as root, seals as accounts
      from evidence_root order by evidence_root.day desc limit ${limit}`.execute(db);
  return rows;
}

export async function insertPaths(
  tx: Db,
  sealDay: string,
  paths: readonly { readonly accountId: string; readonly path: readonly PathStep[] }[],
): Promise<void> {
  await sql`
    insert into account_seal_path (account_id, day, path)
    select "accountId", ${sealDay}::date, path
      from json_to_recordset(${JSON.stringify(paths)}::json) as step ("accountId" text, path jsonb)`.execute(
    tx,
  );
}

export async function findPath(
  tx: Db,
  accountId: string,
  sealDay: string,
): Promise<{ readonly path: readonly PathStep[]; readonly root: string } | undefined> {
  const { rows } = await sql<{ path: readonly PathStep[]; root: string }>`
    select p.path, encode(r.root, 'hex') as root
      from account_seal_path p join evidence_root r on r.day = p.day
     where p.account_id = ${accountId} and p.day = ${sealDay}::date`.execute(tx);
  return rows[0];
}

/** Accounts that have a case or a seal, in order. */
export async function selectSealedAccounts(tx: Db, after: string, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select account_id as id from (
      (select distinct account_id collate "C" as account_id from account_seal where account_id collate "C" > ${after}
        order by 1 limit ${limit})
      union (select distinct account_id collate "C" from action_case where account_id collate "C" > ${after}
        order by 1 limit ${limit})) known
     order by 1 limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The erasure of an account deletes its cases and leaves its seals. */
export async function isErased(tx: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from audit_entry
     where account_id = ${accountId} and action in ('organization.erase', 'user.erase') limit 1`.execute(tx);
  return rows.length > 0;
}
