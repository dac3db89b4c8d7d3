import { type Db, sql } from '#platform/postgres.ts';

/** Packs the day of the EPSS model (4 bytes), then year, number and fact of each valid CVE by EPSS (28 bytes each). */
export async function packFacts(tx: Db): Promise<Uint8Array> {
  const { rows } = await sql<{ packed: Buffer | null }>`
    select int4send(coalesce((select (extract(epoch from data_at) / 86400)::int from dataset where id = 'epss'), -2147483648))
           || coalesce(string_agg(int2send(split_part(c.id, '-', 2)::int2) || float8send(split_part(c.id, '-', 3)::float8) || f.value,
                      ''::bytea order by e.score desc nulls last, c.id), ''::bytea) as packed
      from cve c join cve_fact_entry f on f.key = decode(c.id, 'escape') left join cve_epss e on e.cve_id = c.id
     where not c.is_rejected`.execute(tx);
  return rows[0]?.packed ?? new Uint8Array(0);
}
