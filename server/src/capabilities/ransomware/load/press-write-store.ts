import type { PressEntry } from '#domain/ransomware/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { sha256Of } from '#platform/sha256.ts';
import { type Delta, deltaOf } from './written-rows.ts';

const ID_DIGITS = 26;

/** The same article about the same victim has the same id in every load. */
const idOf = ({ url, victim }: PressEntry): string =>
  `rpr_${sha256Of(`${url}\n${victim}`).slice(0, ID_DIGITS)}`;

export async function replacePress(
  tx: Db,
  datasetId: string,
  entries: readonly PressEntry[],
): Promise<Delta & { readonly entries: number }> {
  const byId = new Map(entries.map((entry) => [idOf(entry), entry]));
  const rows = [...byId].map(([id, entry]) => ({
    ...entry,
    id,
    publishedAt: new Date(entry.publishedAtMs).toISOString(),
  }));
  const gone = await sql`
    delete from ransomware_press where dataset_id = ${datasetId} and id <> all(${[...byId.keys()]}::text[])`.execute(
    tx,
  );
  const { rows: written } = await sql<{ isNew: boolean }>`
    insert into ransomware_press as known (dataset_id, id, victim, name_key, domain, country, title, url, publisher, published_at)
    select ${datasetId}, id, victim, "nameKey", domain, country, title, url, publisher, "publishedAt"
      from json_to_recordset(${JSON.stringify(rows)}::json)
           as said (id text, victim text, "nameKey" text, domain text, country text, title text, url text, publisher text,
                    "publishedAt" timestamptz)
    on conflict (id) do update
      set name_key = excluded.name_key, domain = excluded.domain, country = excluded.country, title = excluded.title,
          publisher = excluded.publisher, published_at = excluded.published_at
    where (known.name_key, known.domain, known.country, known.title, known.publisher, known.published_at)
          is distinct from
          (excluded.name_key, excluded.domain, excluded.country, excluded.title, excluded.publisher, excluded.published_at)
    returning (xmax = 0) as "isNew"`.execute(tx);
  return { ...deltaOf(written, gone.numAffectedRows), entries: byId.size };
}
