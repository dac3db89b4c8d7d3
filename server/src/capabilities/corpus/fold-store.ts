import { type Db, sql } from '#platform/postgres.ts';

/** SQL of merges that are told as one summary instead of entry by entry (O13). */

/** Why a merge is folded: the source had no content before, or an operator released it from quarantine. */
export type FoldReason = 'first-load' | 'release';

export type Fold = {
  readonly sourceNumber: number;
  readonly reason: FoldReason;
  /** False: the event with the summary of this fold is still to be sent. */
  readonly wasTold: boolean;
};

/** Marks the changes of this source up to `throughSeq` of the change log as one fold. */
export const foldMerge = (
  tx: Db,
  given: { readonly sourceNumber: number; readonly reason: FoldReason; readonly throughSeq: number },
): Promise<unknown> =>
  sql`insert into source_fold (source_number, reason, through_seq)
      values (${given.sourceNumber}, ${given.reason}, ${given.throughSeq})
      on conflict (source_number) do update
         set reason = excluded.reason, through_seq = excluded.through_seq, is_told = false`.execute(tx);

/** The folds that changes from `fromSeq` on may belong to; marks their summaries as told. */
export async function takeFolds(tx: Db, fromSeq: number): Promise<readonly Fold[]> {
  const { rows } = await sql<Fold>`
    with current as materialized (
      select source_number, reason, is_told from source_fold where through_seq >= ${fromSeq}
    ), told as (
      update source_fold f set is_told = true from current c
       where f.source_number = c.source_number and not c.is_told
    )
    select source_number as "sourceNumber", reason, is_told as "wasTold" from current`.execute(tx);
  return rows;
}
