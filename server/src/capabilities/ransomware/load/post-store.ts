import type { Post } from '#domain/ransomware/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { msOf } from '#platform/sql-time.ts';

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Writes new and changed posts; returns the distinct groups of these posts. */
export async function upsertPosts(
  tx: Db,
  datasetId: string,
  posts: readonly Post[],
): Promise<readonly string[]> {
  const seen = new Map(posts.map((post) => [`${post.groupKey}\n${post.name}\n${post.discoveredAtMs}`, post]));
  const said = [...seen.values()].map((post) => ({
    ...post,
    discoveredAt: isoOf(post.discoveredAtMs),
    attackedAt: isoOf(post.attackedAtMs),
  }));
  const { rows } = await sql<{ groupKey: string }>`
    with written as (
      insert into ransomware_post as post (dataset_id, group_key, victim, discovered_at, group_name, name_key, domain, country,
                                           sector, attacked_at, claim_url, description)
      select ${datasetId}, "groupKey", name, "discoveredAt", "group", "nameKey", domain, country, sector, "attackedAt",
             "claimUrl", description
        from json_to_recordset(${JSON.stringify(said)}::json)
             as said ("groupKey" text, name text, "discoveredAt" timestamptz, "group" text, "nameKey" text, domain text,
                      country text, sector text, "attackedAt" timestamptz, "claimUrl" text, description text)
      on conflict (dataset_id, group_key, victim, discovered_at) do update
        set group_name = excluded.group_name, name_key = excluded.name_key, domain = excluded.domain,
            country = excluded.country, sector = excluded.sector, attacked_at = excluded.attacked_at,
            claim_url = excluded.claim_url, description = excluded.description
      where (post.group_name, post.name_key, post.domain, post.country, post.sector, post.attacked_at, post.claim_url,
             post.description)
            is distinct from
            (excluded.group_name, excluded.name_key, excluded.domain, excluded.country, excluded.sector,
             excluded.attacked_at, excluded.claim_url, excluded.description)
      returning group_key
    )
    select distinct group_key as "groupKey" from written`.execute(tx);
  return rows.map(({ groupKey }) => groupKey);
}

export type StoredPost = {
  readonly datasetId: string;
  readonly groupKey: string;
  readonly groupName: string;
  readonly victim: string;
  readonly nameKey: string | null;
  readonly domain: string | null;
  readonly country: string | null;
  readonly sector: string | null;
  readonly discoveredAtMs: number;
  readonly attackedAtMs: number | null;
  readonly claimUrl: string | null;
  readonly description: string | null;
  readonly claimId: string | null;
};

/** The limit of one read; the largest group has some thousand posts. */
const POSTS_MAX = 500_000;

export async function listPosts(tx: Db, groupKeys: readonly string[]): Promise<readonly StoredPost[]> {
  const { rows } = await sql<StoredPost>`
    select dataset_id as "datasetId", group_key as "groupKey", group_name as "groupName", victim, name_key as "nameKey", domain,
           country, sector, ${msOf('discovered_at')} as "discoveredAtMs", ${msOf('attacked_at')} as "attackedAtMs",
           claim_url as "claimUrl", description, claim_id as "claimId"
      from ransomware_post where group_key = any(${groupKeys}::text[]) limit ${POSTS_MAX}`.execute(tx);
  return rows;
}

export type PostOfClaim = {
  readonly datasetId: string;
  readonly groupKey: string;
  readonly victim: string;
  readonly discoveredAtMs: number;
  readonly claimId: string;
};

export async function assignPosts(tx: Db, posts: readonly PostOfClaim[]): Promise<void> {
  if (posts.length === 0) return;
  const rows = posts.map((post) => ({ ...post, discoveredAt: isoOf(post.discoveredAtMs) }));
  await sql`
    update ransomware_post as post set claim_id = said."claimId"
      from json_to_recordset(${JSON.stringify(rows)}::json)
           as said ("datasetId" text, "groupKey" text, victim text, "discoveredAt" timestamptz, "claimId" text)
     where post.dataset_id = said."datasetId" and post.group_key = said."groupKey" and post.victim = said.victim
       and post.discovered_at = said."discoveredAt"`.execute(tx);
}

export async function countPosts(tx: Db, datasetId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ransomware_post where dataset_id = ${datasetId}`.execute(tx);
  return rows[0]?.count ?? 0;
}
