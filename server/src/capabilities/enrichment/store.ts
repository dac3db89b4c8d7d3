import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { ReferenceKind } from './compile-reference.ts';

/** All SQL of enrichment; each function is one statement. */

export type ReferenceVersion = {
  readonly kind: ReferenceKind;
  readonly version: string;
  readonly artifact: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly dataAtMs: number;
  readonly loadedAtMs: number;
  readonly name: string;
  readonly attribution: string | null;
  readonly details: Readonly<Record<string, number>>;
};

const COLUMNS = sql`
  kind, version, artifact, sha256, bytes::float8 as bytes, ${msOf('data_at')} as "dataAtMs",
  ${msOf('loaded_at')} as "loadedAtMs", name, attribution, details`;

/** One loader at a time, because two at once would both replace the same version. */
export const lockReferences = (tx: Db): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended('assay.reference', 0))`.execute(tx);

export async function newestVersions(db: Db): Promise<readonly ReferenceVersion[]> {
  const { rows } = await sql<ReferenceVersion>`
    select distinct on (kind) ${COLUMNS} from reference_version order by kind, id desc`.execute(db);
  return rows;
}

export async function versionsAt(db: Db, ms: number): Promise<readonly ReferenceVersion[]> {
  const { rows } = await sql<ReferenceVersion>`
    select distinct on (kind) ${COLUMNS} from reference_version
     where loaded_at <= ${timestampOf(ms)} order by kind, id desc`.execute(db);
  return rows;
}

/** Newest first. */
export async function listVersions(db: Db): Promise<readonly ReferenceVersion[]> {
  const { rows } = await sql<ReferenceVersion>`
    select ${COLUMNS} from reference_version order by id desc limit 2000`.execute(db);
  return rows;
}

export const insertVersion = (tx: Db, row: ReferenceVersion): Promise<unknown> =>
  sql`
    insert into reference_version
      (kind, version, artifact, sha256, bytes, data_at, loaded_at, name, attribution, details)
    values (${row.kind}, ${row.version}, ${row.artifact}, ${row.sha256}, ${row.bytes}, ${timestampOf(row.dataAtMs)},
            ${timestampOf(row.loadedAtMs)}, ${row.name}, ${row.attribution}, ${JSON.stringify(row.details)}::jsonb)`.execute(
    tx,
  );

/** Deletes versions that a newer one of their kind replaced before that moment; the newest of a kind always stays. */
export async function deleteReplacedBefore(tx: Db, ms: number): Promise<readonly string[]> {
  const { rows } = await sql<{ artifact: string }>`
    delete from reference_version old
     where exists (select 1 from reference_version newer
                    where newer.kind = old.kind and newer.id > old.id and newer.loaded_at < ${timestampOf(ms)})
    returning artifact`.execute(tx);
  return rows.map(({ artifact }) => artifact);
}

/** Content that was loaded, replaced and loaded again has one artifact and several rows. */
export async function isArtifactUsed(tx: Db, artifact: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from reference_version where artifact = ${artifact} limit 1`.execute(tx);
  return rows.length > 0;
}

export type FetchState = {
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly problem: string | null;
};

export async function fetchStates(db: Db, kind: ReferenceKind): Promise<readonly FetchState[]> {
  const { rows } = await sql<FetchState>`
    select url, etag, last_modified as "lastModified", problem from reference_fetch where kind = ${kind}`.execute(
    db,
  );
  return rows;
}

export const writeFetchState = (
  tx: Db,
  kind: ReferenceKind,
  state: FetchState,
  checkedAtMs: number,
): Promise<unknown> =>
  sql`
    insert into reference_fetch (kind, url, etag, last_modified, checked_at, problem)
    values (${kind}, ${state.url}, ${state.etag}, ${state.lastModified}, ${timestampOf(checkedAtMs)}, ${state.problem})
    on conflict (kind, url) do update
      set etag = excluded.etag, last_modified = excluded.last_modified, checked_at = excluded.checked_at,
          problem = excluded.problem`.execute(tx);
