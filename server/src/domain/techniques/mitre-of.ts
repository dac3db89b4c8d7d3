import type { AttackIndex, Named } from './attack-index.ts';
import { TECHNIQUE_NAMES } from './technique-names.ts';

export type Mitre = {
  readonly tactics: Named[];
  readonly techniques: { id: string; name: string; url: string | null; tactics: string[] }[];
  readonly mitigations: Named[];
};

/** The maximum length of each list (decisions G6). */
const LIST_MAX = 50;

/**
 * The ATT&CK facts of these techniques: tactics in the order of the matrix, the rest by id, so that the same ids give
 * the same bytes. Without a loaded index, and for ids that it lacks, only built-in names are given. No groups (G6):
 * the use of a technique does not identify its user.
 */
export function mitreOf(index: AttackIndex | null, techniqueIds: readonly string[]): Mitre {
  const techniques: Mitre['techniques'] = [];
  const [tacticIds, mitigationIds] = [new Set<string>(), new Set<string>()];
  for (const id of [...new Set(techniqueIds)].sort()) {
    const known = index?.techniqueOf(id);
    const name = known?.name ?? TECHNIQUE_NAMES[id];
    if (name === undefined || techniques.length === LIST_MAX) continue;
    techniques.push({ id, name, url: known?.url ?? null, tactics: [...(known?.tactics ?? [])] });
    for (const tactic of known?.tactics ?? []) tacticIds.add(tactic);
    for (const mitigation of known?.mitigations ?? []) mitigationIds.add(mitigation);
  }
  const tactics = (index?.tactics ?? []).filter(({ id }) => tacticIds.has(id));
  const mitigations = [...mitigationIds].sort().flatMap((id) => index?.mitigationOf(id) ?? []);
  return { tactics: tactics.slice(0, LIST_MAX), techniques, mitigations: mitigations.slice(0, LIST_MAX) };
}
