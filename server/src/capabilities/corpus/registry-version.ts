import { hash } from 'node:crypto';
import type { Source } from './contract.ts';

const DIGITS = 8;

/**
 * Names the state of everything in the registry that can move a verdict: who is enabled, how reliable, of which lineage,
 * what guards. Dates and counts are left out: they are data, and the sequence stands for them.
 */
export function registryVersion(sources: readonly Source[]): string {
  const judged = [...sources]
    .sort((a, b) => a.number - b.number)
    .map((s) => [
      [s.number, s.id, s.name, s.type, s.category, s.categories, s.threatClass, s.fpRisk, s.signal, s.adOnly],
      [
        s.semantics,
        s.cidrSemantics,
        s.attributes,
        s.reliability,
        s.lineage,
        s.cluster,
        s.aggregate,
        s.letter,
      ],
      [s.intervalS, s.tags, s.entityTypes, s.guard, s.rankMax, s.enabled],
    ]);
  return hash('sha256', JSON.stringify(judged), 'hex').slice(0, DIGITS);
}
