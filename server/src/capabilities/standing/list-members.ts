import type { ListName } from '#domain/shared-lists/index.ts';
import type { Db } from '#platform/postgres.ts';
import { type Audience, classesOfList, familiesOf, fetchMembers, openMembers } from './members-store.ts';

export type ListMember = {
  readonly key: Buffer;
  readonly score: number;
  readonly summary: string;
  /** The family as a source calls it that this audience may see. */
  readonly family: string | null;
};

const PAGE = 50_000;

/**
 * The members of a shared list for this audience, in pages and in the order of keys. They are read in one pass over one state
 * of the data, however long the caller takes for a page.
 */
export async function* membersOf(
  db: Db,
  list: ListName,
  audience: Audience,
): AsyncGenerator<readonly ListMember[]> {
  const tx = await db.startTransaction().execute();
  try {
    const classes = new Map((await classesOfList(tx, list, audience)).map((each) => [each.id, each]));
    if (classes.size === 0) return;
    await openMembers(tx, list, [...classes.keys()]);
    for (;;) {
      const page = await fetchMembers(tx, PAGE);
      const families = await familiesOf(
        tx,
        page.map(({ key }) => key),
        audience,
      );
      yield page.flatMap(({ key, classId }) => {
        const of = classes.get(classId);
        if (of === undefined) return [];
        const { score, summary } = of;
        return [{ key, score, summary, family: families.get(key.toString('latin1')) ?? null }];
      });
      if (page.length < PAGE) return;
    }
  } finally {
    // It only read. On a connection that broke there is nothing to end.
    await tx
      .rollback()
      .execute()
      .catch(() => undefined);
  }
}
