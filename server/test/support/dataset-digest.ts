import pg from 'pg';

/** Every table of vulnerabilities and ransomware claims, with the columns that differ between two equal databases. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  cve_told: [],
  cve_epss: [],
  cve: [],
  cve_product: [],
  cve_package: [],
  cve_vendor: [],
  cve_vendor_product: [],
  cve_cpe_name: [],
  cve_link_vote: [],
  cve_pending: [],
  cve_quality: [],
  ransomware_post: ['claim_id'],
  // Ids are random, and the order of posts does not depend on them.
  ransomware_claim: ['id'],
  ransomware_group: [],
  ransomware_press: [],
  ransomware_load: [],
  dataset: [],
};

export type DatasetDigest = Readonly<Record<string, string>>;

/** By table: the number of rows and a digest of all their values. Two databases with the same content have the same. */
export async function digestDatasets(url: string): Promise<DatasetDigest> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const digests: Record<string, string> = {};
    for (const [table, left] of Object.entries(TABLES)) {
      const { rows } = await client.query<{ said: string }>(
        `select count(*) || ' rows ' || coalesce(md5(string_agg(row, '' order by row collate "C")), '') as said
           from (select md5((to_jsonb(t) - $1::text[])::text) as row from ${table} t) as each`,
        [left],
      );
      digests[table] = rows[0]?.said ?? '';
    }
    return { ...digests, events: await digestEvents(client), claimed: await digestAssignments(client) };
  } finally {
    await client.end();
  }
}

/** Number and digest of the events, so that a doubled event changes the result. */
async function digestEvents(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ said: string }>(
    `select count(*) || ' events ' || coalesce(md5(string_agg(row, '' order by row collate "C")), '') as said
       from (select type || (payload::jsonb - 'id')::text as row from event_outbox where type like 'ransomware.%') as each`,
  );
  return rows[0]?.said ?? '';
}

/** Digest of the posts that make each claim, without the claim's random id. */
async function digestAssignments(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ said: string }>(
    `select coalesce(md5(string_agg(row, '' order by row collate "C")), '') as said from (
       select md5(p.dataset_id || p.group_key || p.victim || p.discovered_at::text || c.victim || c.discovered_at::text) as row
         from ransomware_post p join ransomware_claim c on c.id = p.claim_id) as each`,
  );
  return rows[0]?.said ?? '';
}
