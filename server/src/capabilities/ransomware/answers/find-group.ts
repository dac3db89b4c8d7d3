import { otherNames, readGroupName } from '#domain/ransomware/index.ts';
import type { Db } from '#platform/postgres.ts';
import { findKnownGroups, listAliases, listClaimingKeys } from './group-store.ts';

export type GroupNames = {
  readonly claimed: ReadonlySet<string>;
  /** Alias to group key, for the groups with claims. */
  readonly others: ReadonlyMap<string, string>;
  readonly aliases: Awaited<ReturnType<typeof listAliases>>;
};

export async function readGroupNames(db: Db): Promise<GroupNames> {
  const claimed = new Set(await listClaimingKeys(db));
  const aliases = await listAliases(db);
  return { claimed, aliases, others: otherNames(claimed, aliases) };
}

export type FoundGroup = {
  readonly key: string;
  /** All names of the group in sources, its own included. */
  readonly keys: readonly string[];
};

/** Finds the group of a name or alias: first among groups with claims, then among groups that sources only describe. */
export async function findGroup(db: Db, text: string, given?: GroupNames): Promise<FoundGroup | null> {
  const name = readGroupName(text);
  if (name === null) return null;
  const { claimed, others, aliases } = given ?? (await readGroupNames(db));
  const withNames = (key: string): FoundGroup => ({
    key,
    keys: [key, ...[...others].filter(([, group]) => group === key).map(([other]) => other)],
  });
  if (claimed.has(name.key)) return withNames(name.key);
  const group = others.get(name.key);
  if (group !== undefined) return withNames(group);
  const called = aliases.filter(({ aliasKeys }) => aliasKeys.includes(name.key)).map(({ key }) => key);
  const known = await findKnownGroups(db, [name.key, ...called]);
  if (known.includes(name.key)) return withNames(name.key);
  const [only, ...more] = known;
  return only !== undefined && more.length === 0 ? withNames(only) : null;
}
