import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

/** SQL of versions and runs; counting has stores of its own. Each function is one statement. */

export type WeightVersion = {
  readonly version: string;
  readonly digest: string;
  /** The day (UTC) on which it was learned, as `YYYY-MM-DD`. */
  readonly day: string;
  /** In force from here on; for a held version the moment it was learned. */
  readonly atMs: number;
  /** Null: the shipped table. */
  readonly artifact: string | null;
  readonly isHeld: boolean;
  readonly details: VersionDetails;
};

export type VersionDetails = {
  /** Why the version waits, one sentence each. */
  readonly reasons?: readonly string[];
};

const COLUMNS = sql`version, digest, to_char(day, 'YYYY-MM-DD') as day, ${msOf('at')} as "atMs", artifact,
  held as "isHeld", details`;

export async function newestVersion(db: Db): Promise<WeightVersion | null> {
  const { rows } = await sql<WeightVersion>`
    select ${COLUMNS} from learned_version where not held order by id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

export async function versionAt(db: Db, ms: number): Promise<WeightVersion | null> {
  const { rows } = await sql<WeightVersion>`
    select ${COLUMNS} from learned_version where not held and at <= ${timestampOf(ms)} order by id desc limit 1`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** The newest version of an earlier day that is in force. */
export async function versionBefore(db: Db, day: string): Promise<WeightVersion | null> {
  const { rows } = await sql<WeightVersion>`
    select ${COLUMNS} from learned_version where not held and day < ${day}::date order by id desc limit 1`.execute(
    db,
  );
  return rows[0] ?? null;
}

export async function heldVersion(db: Db): Promise<WeightVersion | null> {
  const { rows } =
    await sql<WeightVersion>`select ${COLUMNS} from learned_version where held limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Newest first. */
export async function listVersions(db: Db): Promise<readonly WeightVersion[]> {
  const { rows } = await sql<WeightVersion>`
    select ${COLUMNS} from learned_version order by id desc limit 1000`.execute(db);
  return rows;
}

/** One run at a time, because two at once would both replace the same version. */
export const lockWeights = (tx: Db): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended('assay.weights', 0))`.execute(tx);

export const insertVersion = (tx: Db, row: WeightVersion): Promise<unknown> =>
  sql`
    insert into learned_version (version, digest, day, at, artifact, held, details)
    values (${row.version}, ${row.digest}, ${row.day}::date, ${timestampOf(row.atMs)}, ${row.artifact}, ${row.isHeld},
            ${JSON.stringify(row.details)}::jsonb)`.execute(tx);

/** Gives the rows of the shipped table its name and its file, so that a later release can still read it. */
export const nameShipped = (
  tx: Db,
  { version, digest, artifact }: Pick<WeightVersion, 'version' | 'digest'> & { readonly artifact: string },
): Promise<unknown> =>
  sql`update learned_version set version = ${version}, digest = ${digest}, artifact = ${artifact}
       where artifact is null`.execute(tx);

export async function deleteHeld(tx: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ artifact: string }>`
    delete from learned_version where held returning artifact`.execute(tx);
  return rows.map(({ artifact }) => artifact);
}

/** Puts the held version into force; null: none is held. */
export async function releaseHeld(tx: Db, atMs: number): Promise<WeightVersion | null> {
  const { rows } = await sql<WeightVersion>`
    update learned_version set held = false, at = ${timestampOf(atMs)} where held returning ${COLUMNS}`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** Deletes versions that a newer one replaced before that moment; the newest in force always stays. */
export async function deleteReplacedBefore(tx: Db, ms: number): Promise<readonly string[]> {
  const { rows } = await sql<{ artifact: string }>`
    delete from learned_version old
     where not old.held and exists (select 1 from learned_version newer
                                     where not newer.held and newer.id > old.id and newer.at < ${timestampOf(ms)})
    returning artifact`.execute(tx);
  return rows.flatMap(({ artifact }) => (artifact === null ? [] : [artifact]));
}

/** Whether a version still uses the artifact: two versions with equal content share one. */
export async function isArtifactUsed(tx: Db, artifact: string): Promise<boolean> {
  const { rows } = await sql`select 1 from learned_version where artifact = ${artifact} limit 1`.execute(tx);
  return rows.length > 0;
}

export type Run = {
  readonly day: string;
  readonly atMs: number;
  readonly learned: string;
  /** Sources with an alarm of the top lists. */
  readonly alarms: readonly string[];
};

/** The last run of an earlier day. */
export async function runBefore(db: Db, day: string): Promise<Run | null> {
  const { rows } = await sql<Run>`
    select to_char(day, 'YYYY-MM-DD') as day, ${msOf('at')} as "atMs", learned, alarms
      from learned_run where day < ${day}::date order by learned_run.day desc limit 1`.execute(db);
  return rows[0] ?? null;
}

export async function newestRun(db: Db): Promise<Omit<Run, 'learned'> | null> {
  const { rows } = await sql<Omit<Run, 'learned'>>`
    select to_char(day, 'YYYY-MM-DD') as day, ${msOf('at')} as "atMs", alarms
      from learned_run order by learned_run.day desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** A second run on one day replaces the first. */
export const saveRun = (tx: Db, { day, atMs, learned, alarms }: Run): Promise<unknown> =>
  sql`insert into learned_run (day, at, learned, alarms)
      values (${day}::date, ${timestampOf(atMs)}, ${learned}, ${alarms}::text[])
      on conflict (day) do update set at = excluded.at, learned = excluded.learned, alarms = excluded.alarms`.execute(
    tx,
  );

export const deleteRunsBefore = (tx: Db, day: string): Promise<unknown> =>
  sql`delete from learned_run where day < ${day}::date
         and exists (select 1 from learned_run newer where newer.day > learned_run.day)`.execute(tx);
