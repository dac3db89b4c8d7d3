import type { ListName } from '#domain/shared-lists/index.ts';
import type { Db } from '#platform/postgres.ts';
import { type Audience, classesOfList, familiesOf, membersAfter } from './members-store.ts';

export type ListMember = {
  readonly key: Buffer;
  readonly score: number;
  readonly summary: string;
  /** The family as a source calls it that this audience may see. */
  readonly family: string | null;
};

const PAGE = 50_000;

/** The members of a shared list for this audience, in pages and in the order of keys. */
export async function* membersOf(
  db: Db,
  list: ListName,
  audience: Audience,
): AsyncGenerator<readonly ListMember[]> {
  const classes = new Map((await classesOfList(db, list, audience)).map((each) => [each.id, each]));
  const classIds = [...classes.keys()];
  let after: Buffer | null = null;
  while (classIds.length > 0) {
    const page = await membersAfter(db, list, { classIds, after, limit: PAGE });
    const keys = page.map(({ key }) => key);
    const families = await familiesOf(db, keys, audience);
    yield page.flatMap(({ key, classId }) => {
      const of = classes.get(classId);
      if (of === undefined) return [];
      const { score, summary } = of;
      return [{ key, score, summary, family: families.get(key.toString('latin1')) ?? null }];
    });
    if (page.length < PAGE) return;
    after = keys.at(-1) ?? null;
  }
}
