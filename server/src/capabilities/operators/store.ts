import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/** SQL of operators and their acts, for the system role. One statement per function. */

export type OperatorRow = {
  readonly id: string;
  readonly name: string;
  readonly allowedCidrs: readonly string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
};

const COLUMNS = sql`id, name, allowed_cidrs as "allowedCidrs", created_at as "createdAt", last_used_at as "lastUsedAt",
  revoked_at as "revokedAt"`;

/** Undefined if an operator of this name already has a valid token. */
export async function insertOperator(
  tx: Db,
  given: {
    readonly id: string;
    readonly name: string;
    readonly tokenHash: Buffer;
    readonly allowedCidrs: readonly string[];
  },
  nowMs: number,
): Promise<OperatorRow | undefined> {
  const { rows } = await sql<OperatorRow>`
    insert into operator_token (id, name, token_hash, allowed_cidrs, created_at)
    values (${given.id}, ${given.name}, ${given.tokenHash}, ${[...given.allowedCidrs]}::text[], ${timestampOf(nowMs)})
    on conflict (name) where revoked_at is null do nothing
    returning ${COLUMNS}`.execute(tx);
  return rows[0];
}

export async function selectOperators(db: Db, limit: number): Promise<readonly OperatorRow[]> {
  const { rows } = await sql<OperatorRow>`
    select ${COLUMNS} from operator_token order by revoked_at is not null, name, id limit ${limit}`.execute(
    db,
  );
  return rows;
}

export async function findOperatorByHash(db: Db, tokenHash: Buffer): Promise<OperatorRow | undefined> {
  const { rows } = await sql<OperatorRow>`
    select ${COLUMNS} from operator_token where token_hash = ${tokenHash} and revoked_at is null`.execute(db);
  return rows[0];
}

/** Revokes the token of an operator, by name or id; undefined if there is no valid one. */
export async function markOperatorRevoked(
  tx: Db,
  nameOrId: string,
  nowMs: number,
): Promise<OperatorRow | undefined> {
  const { rows } = await sql<OperatorRow>`
    update operator_token set revoked_at = ${timestampOf(nowMs)}
     where revoked_at is null and (name = ${nameOrId} or id = ${nameOrId})
    returning ${COLUMNS}`.execute(tx);
  return rows[0];
}

/** Notes the last use of a token, at most once a minute, so that reading pages writes little. */
export async function touchOperator(db: Db, id: string, nowMs: number): Promise<void> {
  await sql`
    update operator_token set last_used_at = ${timestampOf(nowMs)}
     where id = ${id} and (last_used_at is null or last_used_at < ${timestampOf(nowMs - 60_000)})`.execute(
    db,
  );
}

export type NewAct = {
  readonly id: string;
  readonly operator: string;
  readonly action: string;
  readonly target: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly ip: string;
  readonly requestId: string;
};

export async function insertAct(tx: Db, act: NewAct, nowMs: number): Promise<void> {
  await sql`
    insert into operator_act (id, operator, action, target, detail, ip, request_id, at)
    values (${act.id}, ${act.operator}, ${act.action}, ${act.target}, ${JSON.stringify(act.detail)}::jsonb, ${act.ip},
            ${act.requestId}, ${timestampOf(nowMs)})`.execute(tx);
}

export type Outcome = 'done' | 'refused' | 'failed';

export async function finishAct(
  tx: Db,
  id: string,
  { outcome, reason }: { readonly outcome: Outcome; readonly reason: string | null },
  nowMs: number,
): Promise<void> {
  await sql`
    update operator_act set outcome = ${outcome}, reason = ${reason}, finished_at = ${timestampOf(nowMs)}
     where id = ${id}`.execute(tx);
}

export type ActRow = NewAct & {
  readonly at: Date;
  readonly outcome: Outcome | null;
  readonly reason: string | null;
};

export async function selectActs(
  db: Db,
  {
    operator,
    before,
    limit,
  }: { readonly operator: string | null; readonly before: string | null; readonly limit: number },
): Promise<readonly ActRow[]> {
  const { rows } = await sql<ActRow>`
    select id, operator, action, target, detail, ip, request_id as "requestId", at, outcome, reason from operator_act
     where (${operator}::text is null or operator = ${operator}) and (${before}::text is null or id < ${before})
     order by id desc limit ${limit}`.execute(db);
  return rows;
}
