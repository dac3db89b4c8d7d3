import { type Db, sql } from '#platform/postgres.ts';

export type MergedClaim = {
  readonly id: string;
  readonly group: string;
  readonly victim: string;
  readonly domain: string | null;
  readonly posts: readonly {
    readonly source: string;
    readonly victim: string;
    readonly discoveredAt: string;
  }[];
};

const MERGES_MAX = 100_000;

/** Claims made of several posts, with the posts, so that operators can see which posts were taken for the same. */
export async function listMerges(db: Db): Promise<readonly MergedClaim[]> {
  const { rows } = await sql<MergedClaim>`
    select claim.id, claim.group_name as "group", claim.victim, claim.domain,
           json_agg(json_build_object('source', post.dataset_id, 'victim', post.victim,
                                      'discoveredAt', to_char(post.discovered_at at time zone 'UTC', 'YYYY-MM-DD'))
                    order by post.discovered_at, post.dataset_id, post.victim) as posts
      from ransomware_claim as claim join ransomware_post as post on post.claim_id = claim.id
     where claim.posts > 1
     group by claim.id order by claim.group_key, claim.discovered_at, claim.id limit ${MERGES_MAX}`.execute(
    db,
  );
  return rows;
}
