import { readGroupName } from '#domain/ransomware/index.ts';
import type { Db } from '#platform/postgres.ts';
import { findByAlias, isGroup } from './group-store.ts';

/** The group of a name: its own name first, else the only group that a source gives this other name. */
export async function findGroupKey(db: Db, text: string): Promise<string | null> {
  const name = readGroupName(text);
  if (name === null) return null;
  if (await isGroup(db, name.key)) return name.key;
  const others = await findByAlias(db, name.key);
  const groups: string[] = [];
  for (const key of others) if (await isGroup(db, key)) groups.push(key);
  return groups.length === 1 ? (groups[0] ?? null) : null;
}
