import { type Generation, generationOf, otherNames, readGroupName } from '#domain/ransomware/index.ts';
import type { Db } from '#platform/postgres.ts';
import { findKnownGroups, listAliases, listClaimingKeys, listDescribedKeys } from './group-store.ts';

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

/** The family of each group key with claims that has one: generations are counted as one group. */
export type Families = Readonly<Record<string, string>>;

export const readFamilies = async (db: Db): Promise<Families> =>
  Object.fromEntries(
    (await listClaimingKeys(db)).flatMap((key) => {
      const generation = generationOf(key);
      return generation === null ? [] : [[key, generation.family] as const];
    }),
  );

export type FoundGroup = {
  readonly key: string;
  /** All names of the group in sources, its own included. */
  readonly keys: readonly string[];
  /** The names under which it has claims. */
  readonly claimKeys: readonly string[];
  /** The family of a group with generations, such as `lockbit`; null for another group. */
  readonly family: string | null;
};

/**
 * Finds the group of a name or alias: first among groups with claims, then among groups that sources only describe. The name
 * of a family finds all of its generations, the name of a generation that one alone.
 */
export async function findGroup(db: Db, text: string, given?: GroupNames): Promise<FoundGroup | null> {
  const name = readGroupName(text);
  if (name === null) return null;
  const names = given ?? (await readGroupNames(db));
  const key = await findKey(db, name.key, names);
  const asked = generationOf(key ?? name.key);
  if (asked !== null) return findGenerations(db, key ?? name.key, asked, names);
  if (key === null) return null;
  const claimKeys = names.claimed.has(key) ? [key] : [];
  return { key, keys: withOtherNames([key], names), claimKeys, family: null };
}

const withOtherNames = (keys: readonly string[], { others }: GroupNames): readonly string[] => [
  ...new Set([...keys, ...[...others].filter(([, group]) => keys.includes(group)).map(([other]) => other)]),
];

async function findKey(
  db: Db,
  key: string,
  { claimed, others, aliases }: GroupNames,
): Promise<string | null> {
  if (claimed.has(key)) return key;
  const group = others.get(key);
  if (group !== undefined) return group;
  const called = aliases.filter(({ aliasKeys }) => aliasKeys.includes(key)).map((each) => each.key);
  const known = await findKnownGroups(db, [key, ...called]);
  if (known.includes(key)) return key;
  const [only, ...more] = known;
  return only !== undefined && more.length === 0 ? only : null;
}

async function findGenerations(
  db: Db,
  key: string,
  { family, generation }: Generation,
  names: GroupNames,
): Promise<FoundGroup | null> {
  const isFamily = key === family;
  const isAsked = (each: string): boolean => {
    const own = generationOf(each);
    return own !== null && (isFamily ? own.family === family : own.generation === generation);
  };
  const claimKeys = [...names.claimed].filter(isAsked);
  const described = (await listDescribedKeys(db)).filter(isAsked);
  if (claimKeys.length === 0 && (await findKnownGroups(db, described)).length === 0) return null;
  const keys = withOtherNames([...claimKeys, ...described], names);
  return { key: isFamily ? family : generation, keys, claimKeys, family };
}
