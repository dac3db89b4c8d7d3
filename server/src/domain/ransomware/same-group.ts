export type NamedGroup = { readonly key: string; readonly aliasKeys: readonly string[] };

/**
 * Names that sources give for a group with claims: `blackcat` for `alphv`, where a source says that one is also called the
 * other. A name that sources give for several such groups stays on its own, and two groups with claims are never joined.
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
