export type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const REFERENCE = /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g;

/** The components that the paths refer to, directly or through others. Groups without any are left out. */
export function usedComponents(components: Components, paths: unknown): Components {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, group = '', name = ''] of (JSON.stringify(value) ?? '').matchAll(REFERENCE)) {
      const key = `${group}/${name}`;
      if (used.has(key)) continue;
      used.add(key);
      visit(components[group]?.[name]);
    }
  };
  visit(paths);
  for (const name of schemesOf(paths)) used.add(`securitySchemes/${name}`);
  return Object.fromEntries(
    Object.entries(components).flatMap(([group, members]) => {
      const kept = Object.entries(members).filter(([name]) => used.has(`${group}/${name}`));
      return kept.length === 0 ? [] : [[group, Object.fromEntries(kept)]];
    }),
  );
}

type Secured = { readonly security?: readonly Readonly<Record<string, unknown>>[] };

/** The security schemes that the operations name. */
const schemesOf = (paths: unknown): readonly string[] =>
  Object.values(paths as Record<string, Record<string, Secured>>)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ security = [] }) => security.flatMap(Object.keys));
