/** Every field of an answer as a dotted path; the items of an array share theirs. */
export function pathsIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((item) => pathsIn(item, path))];
  if (typeof value !== 'object' || value === null) return [path];
  const below = path === '' ? '' : `${path}.`;
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, below + key))];
}
