import { sha256Of } from '#platform/sha256.ts';
import type { Source } from './contract.ts';

const DIGITS = 8;

/**
 * A digest of everything in the registry that can change a verdict: enabled sources, reliability, lineage, guards.
 * Dates and counts are left out, because they are data, which the sequence number covers.
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
      [s.intervalS, s.tags, s.entityTypes, s.guard, s.rankMax, s.enabled, s.scannerKinds],
      [s.keepsEntries, Object.entries(s.echoes).sort(byKind)],
      // Only for own lists, so that the version of a registry without one is the same in every release.
      ...(s.ownList === true ? [['own', s.expiresDays ?? 0]] : []),
    ]);
  return sha256Of(JSON.stringify(judged)).slice(0, DIGITS);
}

const byKind = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : 1);
