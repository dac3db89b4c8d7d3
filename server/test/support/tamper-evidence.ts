import {
  evidenceText,
  firstHash,
  firstSealHash,
  headsRootOf,
  merkleRoot,
  nextHash,
  sealHash,
} from '#domain/cases/index.ts';
import type { CasesRig } from './cases-rig.ts';

/** What was done, and where a check has to say that something is wrong. */
export type Tampered = {
  readonly what: string;
  readonly brokenAt: number | null;
  readonly day: string | null;
};

export type Tamperer = Awaited<ReturnType<typeof createTamperer>>;

const SEALS = ['account_seal', 'case_seal', 'evidence_root'] as const;
const TABLES = ['action_case', 'case_evidence', ...SEALS] as const;
const FIELDS = ['title', 'payload', 'hash', 'created_at', 'kind'] as const;
const day = (column: string) => `to_char(${column}, 'YYYY-MM-DD')`;

/** Edits evidence past the service, as a superuser can, and puts everything back. */
export async function createTamperer({ owner }: Pick<CasesRig, 'owner'>) {
  const run = (text: string, ...values: unknown[]) => owner.query(text, values);
  for (const table of TABLES) await run(`create table kept_${table} as select * from ${table}`);
  await run('create index on kept_case_evidence (case_id)');

  const lengthOf = async (id: string): Promise<number> =>
    (await run('select evidence_count as count from action_case where id = $1', id)).rows[0]?.count ?? 0;
  const setHead = (id: string, count: number, hash: string) =>
    run(
      `update action_case set evidence_count = $2, head_hash = decode($3, 'hex') where id = $1`,
      id,
      count,
      hash,
    );

  /** Changes a title and computes every hash from there on anew, the head too: the chain by itself is whole again. */
  async function forge(id: string, from: number): Promise<void> {
    const { rows } = await run(
      `select id, position, kind, title, description, payload, created_at as at, encode(hash, 'hex') as hash
         from case_evidence where case_id = $1 order by position`,
      id,
    );
    let previous = rows[from - 2]?.hash ?? firstHash(id);
    for (const row of rows.slice(from - 1)) {
      const title = row.position === from ? `${row.title} forged` : row.title;
      const payload: unknown = JSON.parse(row.payload);
      const text = evidenceText({ ...row, title, payload, createdAt: row.at.toISOString() });
      previous = nextHash(previous, text);
      await run(
        `update case_evidence set title = $2, hash = decode($3, 'hex') where id = $1`,
        row.id,
        title,
        previous,
      );
    }
    await setHead(id, rows.length, previous);
  }

  const sealedLengths = async (id: string): Promise<readonly { day: string; length: number }[]> =>
    (
      await run(
        `select ${day('day')} as day, length from case_seal where case_id = $1 order by case_seal.day`,
        id,
      )
    ).rows;

  /** Where a check can say that a chain was replaced: after the entries under the last seal that still fits. */
  const behindSeal = async (id: string, from: number): Promise<{ start: number; day: string }> => {
    const seals = await sealedLengths(id);
    const at = seals.findIndex(({ length }) => length >= from);
    return { start: (seals[at - 1]?.length ?? 0) + 1, day: seals[at]?.day ?? '' };
  };

  async function sealAnew(accountId: string): Promise<void> {
    await run(
      `update case_seal s set hash = e.hash from case_evidence e
        where e.case_id = s.case_id and e.position = s.length and s.account_id = $1`,
      accountId,
    );
    const { rows } = await run(
      `select ${day('day')} as day, audit_entries as "auditEntries", encode(audit_hash, 'hex') as "auditHash", heads
         from account_seal where account_id = $1 order by account_seal.day`,
      accountId,
    );
    let previous = firstSealHash(accountId);
    for (const row of rows) {
      const heads = await run(
        `select case_id as "caseId", length, encode(hash, 'hex') as hash from case_seal
          where account_id = $1 and day = $2::date order by case_id`,
        accountId,
        row.day,
      );
      const seal = { ...row, accountId, previous, headsRoot: headsRootOf(heads.rows) };
      const hash = sealHash(seal);
      await run(
        `update account_seal set previous_hash = decode($3, 'hex'), heads_root = decode($4, 'hex'), hash = decode($5, 'hex')
          where account_id = $1 and day = $2::date`,
        accountId,
        row.day,
        previous,
        seal.headsRoot,
        hash,
      );
      previous = hash;
    }
  }

  const rootsAnew = async (): Promise<void> => {
    const { rows } = await run(
      `select ${day('day')} as day, array_agg(encode(hash, 'hex') order by account_id collate "C") as hashes
         from account_seal group by account_seal.day`,
    );
    for (const row of rows)
      await run(
        `update evidence_root set root = decode($2, 'hex') where day = $1::date`,
        row.day,
        merkleRoot(row.hashes),
      );
  };

  return {
    flipByte: async (id: string, position: number, field: number): Promise<Tampered> => {
      const name = FIELDS[field % FIELDS.length] ?? 'title';
      const changes: Readonly<Record<(typeof FIELDS)[number], string>> = {
        title: `'X' || substr(title, 2)`,
        payload: `replace(payload, '"number":', '"numbes":')`,
        hash: `set_byte(hash, 7, get_byte(hash, 7) # 1)`,
        created_at: `created_at + interval '1 millisecond'`,
        kind: `'notf'`,
      };
      await run(
        `update case_evidence set ${name} = ${changes[name]} where case_id = $1 and position = $2`,
        id,
        position,
      );
      return { what: `${name} at ${position}`, brokenAt: position, day: null };
    },
    deleteRow: async (id: string, position: number): Promise<Tampered> => {
      await run('delete from case_evidence where case_id = $1 and position = $2', id, position);
      return { what: `row ${position}`, brokenAt: position, day: null };
    },
    swap: async (id: string, position: number): Promise<Tampered> => {
      const move = (from: number, to: number) =>
        run('update case_evidence set position = $3 where case_id = $1 and position = $2', id, from, to);
      await move(position, 1_000_000);
      await move(position + 1, position);
      await move(1_000_000, position + 1);
      return { what: `order at ${position}`, brokenAt: position, day: null };
    },
    /** `isCounted`: the case is made to fit the shorter chain. */
    cutTail: async (id: string, from: number, isCounted: boolean): Promise<Tampered> => {
      await run('delete from case_evidence where case_id = $1 and position >= $2', id, from);
      const { rows } = await run(
        `select encode(hash, 'hex') as hash from case_evidence where case_id = $1 and position = $2`,
        id,
        from - 1,
      );
      if (isCounted) await setHead(id, from - 1, rows[0]?.hash ?? firstHash(id));
      return { what: `tail from ${from} of ${await lengthOf(id)}`, brokenAt: from, day: null };
    },
    recomputeChain: async (id: string, from: number): Promise<Tampered> => {
      await forge(id, from);
      const { start } = await behindSeal(id, from);
      return { what: `chain from ${from}`, brokenAt: start, day: null };
    },
    recomputeSeals: async (id: string, from: number, withRoots: boolean): Promise<Tampered> => {
      const { day: first } = await behindSeal(id, from);
      await forge(id, from);
      const { rows } = await run('select account_id as id from action_case where id = $1', id);
      await sealAnew(rows[0]?.id ?? '');
      if (withRoots) await rootsAnew();
      return { what: `chain from ${from} with its seals`, brokenAt: null, day: first };
    },
    /** Puts back the rows of the case, and all seals. */
    restore: async (id: string): Promise<void> => {
      await run('begin');
      await run('delete from case_evidence where case_id = $1', id);
      await run('delete from action_case where id = $1', id);
      await run('insert into action_case select * from kept_action_case where id = $1', id);
      await run('insert into case_evidence select * from kept_case_evidence where case_id = $1', id);
      for (const table of SEALS) {
        await run(`delete from ${table}`);
        await run(`insert into ${table} select * from kept_${table}`);
      }
      await run('commit');
    },
  };
}
