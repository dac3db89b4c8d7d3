import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

export type Loaded = {
  readonly claims: boolean;
  readonly groups: boolean;
  readonly press: boolean;
};

/** Which data of ransomware groups is loaded. Without any, an answer has nothing to count (decisions O77). */
export async function readLoaded(db: Db): Promise<Loaded> {
  const { rows } = await sql<Loaded>`
    select exists(select 1 from ransomware_claim) as claims, exists(select 1 from ransomware_group) as groups,
           exists(select 1 from ransomware_press) as press`.execute(db);
  return rows[0] ?? { claims: false, groups: false, press: false };
}

/** The date of the newest claim up to now; null without claims. */
export async function newestClaimMs(db: Db, nowMs: number): Promise<number | null> {
  const { rows } = await sql<{ newestMs: number | null }>`
    select ${msOf(sql`max(discovered_at)`)} as "newestMs" from ransomware_claim
     where discovered_at <= ${timestampOf(nowMs)}`.execute(db);
  return rows[0]?.newestMs ?? null;
}
