/** Reading JSON that somebody else wrote: any field may be missing, of another type, or named to reach a prototype. */

/** A field an object has itself; undefined for everything else. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** The first of a list; nothing when it is no list. */
export const itemsOf = (value: unknown, max: number): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, max) : [];
