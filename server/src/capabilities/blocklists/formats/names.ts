import type { ListEntry } from '../list-entry.ts';

const LABEL_MAX = 63;
const NAME_MAX = 253;
const NAME = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

/**
 * Lower-case letters, digits, hyphens and underscores in labels of at most 63: what no resolver reads as anything but a
 * name. Others are left out and counted, because one line that a program refuses makes it refuse the file.
 */
export const isPlainName = (name: string): boolean =>
  name.length <= NAME_MAX && NAME.test(name) && name.split('.').every((label) => label.length <= LABEL_MAX);

/**
 * Names that have no other name of the list above them: the parent stands for them in formats that block a name with all
 * its subdomains. Squid refuses a name beside its parent.
 */
export function foldNames(entries: readonly ListEntry[]): readonly ListEntry[] {
  const listed = new Set(entries.map(({ value }) => value));
  return entries.filter(({ value }) => !hasParentIn(value, listed));
}

function hasParentIn(name: string, listed: ReadonlySet<string>): boolean {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1))
    if (listed.has(name.slice(dot + 1))) return true;
  return false;
}
