import { findDefinition } from '../../server/src/capabilities/ransomware/index.ts';
import { DAY_MS } from '../../server/src/platform/time-units.ts';
import { claimsAt, renderClaims, renderGroups, renderPress } from '../sample/claims.ts';
import { loadSampleFile } from './load-sample-file.ts';
import type { Seeding } from './seeding.ts';

/** Loads claims of ransomware groups, the groups and articles; then one new claim, which is told to those who watch. */
export async function seedClaims(seeding: Seeding): Promise<void> {
  const { todayMs } = seeding;
  const { known, news } = claimsAt(todayMs);
  await load(seeding, 'ransomware-live', renderClaims(known), todayMs - DAY_MS / 4);
  await load(seeding, 'ransomware-live', renderClaims([...known, ...news]), todayMs);
  await load(seeding, 'ransomwatch-groups', renderGroups(todayMs), todayMs);
  await load(seeding, 'cyberwatch', renderPress(known, todayMs), todayMs);
}

async function load(seeding: Seeding, id: string, text: string, atMs: number): Promise<void> {
  const definition = findDefinition(id);
  if (definition === undefined) throw new Error(`There is no data set '${id}'.`);
  await loadSampleFile(seeding, definition, { text, atMs });
}
