/** Every field of an answer as a dotted path; all items of an array have the same path. */
export function pathsIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((item) => pathsIn(item, path))];
  if (typeof value !== 'object' || value === null) return [path];
  const below = path === '' ? '' : `${path}.`;
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, below + key))];
}
