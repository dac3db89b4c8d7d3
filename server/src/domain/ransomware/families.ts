import { groupKeyOf } from './group-name.ts';

/**
 * Groups that published under several names over the years: the family, then the names of its generations. A number
 * after the family's name (`lockbit6`, `LOCKBIT 6.0`) is a generation without a row of its own.
 */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  lockbit: ['lockbit', 'lockbit2', 'lockbit3', 'lockbit4', 'lockbit5'],
  babuk: ['babuk', 'babuk2'],
  devman: ['devman', 'devman2'],
  gunra: ['gunra', 'freshgunra'],
  hive: ['hive', 'hiveleak'],
  karakurt: ['karakurt', 'karakurt2'],
  killsec: ['killsec', 'killsecurity', 'killsecurity3'],
  obscura: ['obscura', 'obscura2'],
  satanlock: ['satanlock', 'satanlock2'],
};
const FAMILY_NAMES: readonly string[] = Object.keys(FAMILIES);
const OF_GENERATION: ReadonlyMap<string, string> = new Map(
  Object.entries(FAMILIES).flatMap(([family, generations]) =>
    generations.map((generation) => [generation, family] as const),
  ),
);
/** Sites and programs of a group that a source lists beside it. */
const SITE_WORDS = [
  'controlpanel',
  'supportpage',
  'support',
  'panel',
  'fileserver',
  'storageserver',
  'archives',
  'fs',
];
/** `2`, `20` of `2.0`, `v2` at the end of a name. */
const NUMBERED = /^(.+?)v?(\d)0?$/;

/** A generation of a family of groups, such as `lockbit3` of `lockbit`. */
export type Generation = { readonly family: string; readonly generation: string };

/** The family and generation that the key of a group names; null for a group without generations. */
export function generationOf(key: string): Generation | null {
  const bare = withoutSite(key);
  const own = OF_GENERATION.get(bare);
  if (own !== undefined) return { family: own, generation: bare };
  const [, base = '', number = ''] = NUMBERED.exec(bare) ?? [];
  const generation = `${base}${number}`;
  const family = OF_GENERATION.get(generation) ?? (FAMILY_NAMES.includes(base) ? base : undefined);
  return family === undefined ? null : { family, generation };
}

/** True for the name of a tool or site of a group, such as `LOCKBIT 4.0 Control Panel`: it is no group of its own. */
export const isSiteOfGroup = (name: string): boolean => {
  const words = name.trim().split(/[\s_]+/);
  return words.length > 1 && withoutSite(groupKeyOf(name)) !== groupKeyOf(name);
};

function withoutSite(key: string): string {
  const word = SITE_WORDS.find((each) => key.endsWith(each) && key.length > each.length);
  return word === undefined ? key : key.slice(0, -word.length);
}
