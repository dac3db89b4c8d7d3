import { type Db, type Postgres, sql } from '../postgres.ts';

/** A file identified by its content: the same bytes have the same SHA-256 everywhere (foundation rule 10). */
export type Artifact = {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly createdAt: string;
};
type Row = { name: string; sha256: string; bytes: string; createdAt: Date };

const fromRow = (row: Row): Artifact => ({
  ...row,
  bytes: Number(row.bytes),
  createdAt: row.createdAt.toISOString(),
});

export async function insertArtifact(tx: Db, name: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into artifact (name) values (${name}) returning id`.execute(tx);
  return rows[0]?.id ?? '';
}

export const insertChunk = (tx: Db, id: string, ordinal: number, data: Buffer): Promise<unknown> =>
  sql`insert into artifact_chunk (artifact_id, ordinal, data) values (${id}, ${ordinal}, ${data})`.execute(
    tx,
  );

export async function finishArtifact(tx: Db, id: string, sha256: string, bytes: number): Promise<Artifact> {
  const { rows } = await sql<Row>`
    update artifact set sha256 = ${sha256}, bytes = ${bytes} where id = ${id}
    returning name, sha256, bytes, created_at as "createdAt"`.execute(tx);
  if (rows[0] === undefined) throw new Error('The artifact vanished while it was being written.');
  return fromRow(rows[0]);
}

export async function newestArtifact(db: Db, name: string): Promise<Artifact | null> {
  const { rows } = await sql<Row>`
    select name, sha256, bytes, created_at as "createdAt"
      from artifact where name = ${name} and sha256 <> '' order by id desc limit 1`.execute(db);
  return rows[0] === undefined ? null : fromRow(rows[0]);
}

export const deleteArtifact = (tx: Db, id: string): Promise<unknown> =>
  sql`delete from artifact where id = ${id}`.execute(tx);

export const deleteOlder = (tx: Db, name: string, kept: number): Promise<unknown> =>
  sql`delete from artifact where name = ${name} and id not in (
        select id from artifact where name = ${name} and sha256 <> '' order by id desc limit ${kept})`.execute(
    tx,
  );

/** One snapshot for all chunks, so that a newer version stored meanwhile cannot remove them while they are read. */
export async function readChunks(
  postgres: Postgres,
  { name, sha256 }: { readonly name: string; readonly sha256: string },
): Promise<Chunks> {
  const transaction = await postgres.db.startTransaction().setIsolationLevel('repeatable read').execute();
  const close = async () => {
    await transaction.rollback().execute();
  };
  try {
    const { rows } = await sql<{ id: string; chunks: number }>`
      select a.id, count(c.ordinal)::int as chunks
        from artifact a left join artifact_chunk c on c.artifact_id = a.id
       where a.name = ${name} and a.sha256 = ${sha256} group by a.id order by a.id desc limit 1`.execute(
      transaction,
    );
    const found = rows[0];
    if (found === undefined) throw new Error(`Artifact '${name}' (${sha256}) is no longer stored.`);
    return { count: found.chunks, read: (ordinal) => readChunk(transaction, found.id, ordinal), close };
  } catch (error) {
    await close();
    throw error;
  }
}

export type Chunks = {
  readonly count: number;
  readonly read: (ordinal: number) => Promise<Buffer>;
  readonly close: () => Promise<void>;
};

async function readChunk(tx: Db, id: string, ordinal: number): Promise<Buffer> {
  const { rows } = await sql<{ data: Buffer }>`
    select data from artifact_chunk where artifact_id = ${id} and ordinal = ${ordinal}`.execute(tx);
  if (rows[0] === undefined) throw new Error(`Chunk ${ordinal} of artifact ${id} is missing.`);
  return rows[0].data;
}
