import pg from 'pg';

/** The content of the corpus without its times: equal for two import paths that lead to the same state. */
export type CorpusContents = {
  readonly listings: string;
  readonly indicators: string;
  readonly sources: readonly { readonly id: string; readonly entries: number; readonly listed: number }[];
  readonly links: string;
};

const DIGEST = (columns: string, table: string) =>
  `select count(*) || ':' || coalesce(sum(('x' || substr(md5(concat_ws('|', ${columns})), 1, 12))::bit(48)::bigint), 0)
     as digest from ${table}`;

/** Sums of row digests: independent of the order of rows, and changed by any lost, doubled or changed row. */
export async function corpusContents(databaseUrl: string): Promise<CorpusContents> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const digest = async (columns: string, table: string) =>
    String((await client.query<{ digest: string }>(DIGEST(columns, table))).rows[0]?.digest);
  try {
    const sources = await client.query<{ id: string; entries: number; listed: number }>(
      `select s.id, s.entries, count(l.key)::int as listed
         from source s left join listing l on l.source_number = s.number
        group by s.id, s.entries having s.entries > 0 or count(l.key) > 0 order by s.id`,
    );
    return {
      listings: await digest(
        `l.key, s.id, l.first_seen, l.last_seen, l.confidence, l.reference, l.family, l.rank`,
        'listing l join source s on s.number = l.source_number',
      ),
      indicators: await digest(
        `key, value, encode(parent_key, 'hex')`,
        'indicator where exists (select 1 from listing l where l.key = indicator.key)',
      ),
      links: await digest('key, sibling', 'file_digest'),
      sources: sources.rows,
    };
  } finally {
    await client.end();
  }
}
