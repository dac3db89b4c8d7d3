import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { Variant } from './bundle.ts';

/** What was pulled: a shared list, or a page of a TAXII collection. */
export const PULL_KINDS = ['blocklist', 'taxii'] as const;
export type PullKind = (typeof PULL_KINDS)[number];

export type Pull = {
  readonly kind: PullKind;
  readonly accountId: string;
  readonly keyId: string;
  readonly list: string;
  readonly variant: Variant;
  readonly status: number;
  readonly bytes: number;
  /** Objects of a TAXII page, and whether more pages follow; both null for a shared list. */
  readonly objects: number | null;
  readonly more: boolean | null;
  readonly agent: string | null;
  readonly pulledAtMs: number;
};

/** Runs as the system role, because a batch holds pulls of many accounts. */
export const insertPulls = (tx: Db, pulls: readonly Pull[]): Promise<unknown> =>
  sql`insert into blocklist_pull (kind, account_id, key_id, list, variant, status, bytes, objects, more, agent, pulled_at)
      select kind, "accountId", "keyId", list, variant, status, bytes, objects, more, agent,
             to_timestamp("pulledAtMs" / 1000)
        from jsonb_to_recordset(${JSON.stringify(pulls)}::jsonb) as pull (kind text, "accountId" text, "keyId" text,
             list text, variant text, status smallint, bytes bigint, objects integer, more boolean, agent text,
             "pulledAtMs" double precision)`.execute(tx);

export type PullRow = Omit<Pull, 'accountId'> & { readonly id: string; readonly label: string | null };

/** Runs under row-level security. The label is that of the API key, or null where the key was removed. */
export async function selectPulls(
  tx: Db,
  accountId: string,
  {
    kind,
    before,
    limit,
  }: { readonly kind: PullKind | null; readonly before: string | null; readonly limit: number },
): Promise<readonly PullRow[]> {
  const { rows } = await sql<PullRow>`
    select p.id, p.kind, p.key_id as "keyId", k.label, p.list, p.variant, p.status, p.bytes::float8 as bytes,
           p.objects, p.more, p.agent,
           ${msOf('p.pulled_at')} as "pulledAtMs"
      from blocklist_pull p left join api_key k on k.id = p.key_id
     where p.account_id = ${accountId} and (${before}::bigint is null or p.id < ${before}::bigint)
       and (${kind}::text is null or p.kind = ${kind}::text)
     order by p.id desc limit ${limit}`.execute(tx);
  return rows;
}

export const prunePulls = (tx: Db, beforeMs: number): Promise<unknown> =>
  sql`delete from blocklist_pull where pulled_at < ${timestampOf(beforeMs)}`.execute(tx);
