export type NamedGroup = { readonly key: string; readonly aliasKeys: readonly string[] };

/**
 * Maps other names to the group with claims that they mean: `blackcat` to `alphv`, if a source says that one is also
 * called the other. A name of several such groups is not mapped, and two groups with claims are never joined.
 */
export function otherNames(
  claimed: ReadonlySet<string>,
  said: readonly NamedGroup[],
): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string>>();
  const note = (name: string, group: string) => {
    if (claimed.has(name) || !claimed.has(group)) return;
    found.set(name, (found.get(name) ?? new Set()).add(group));
  };
  for (const { key, aliasKeys } of said)
    for (const alias of aliasKeys) {
      note(key, alias);
      note(alias, key);
    }
  return new Map(
    [...found].flatMap(([name, groups]) => (groups.size === 1 ? [[name, [...groups][0] ?? '']] : [])),
  );
}
