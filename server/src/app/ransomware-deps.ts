import type { Corpus } from '#capabilities/corpus/index.ts';
import type { RansomwareDeps } from '#capabilities/ransomware/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { OpenParts } from './open-parts.ts';

/** Match types that count: listings of the value, its digests, its range or its parent. Neighbours do not count. */
const RANSOMWARE_MATCHES: readonly string[] = ['exact', 'alias', 'cidr', 'parent'];

export const ransomwareDeps = (
  { postgres, enrichment }: Pick<OpenParts, 'postgres' | 'enrichment'>,
  corpus: Corpus,
  clock: Clock,
): RansomwareDeps => ({
  clock,
  postgres,
  ransomwareListsOf: (indicator) =>
    corpus
      .lookup(indicator)
      .listings.filter(
        ({ source, matchType }) =>
          source.threatClass === 'threat' &&
          RANSOMWARE_MATCHES.includes(matchType) &&
          [source.category, ...source.categories].includes('ransomware'),
      )
      .map(({ source }) => source.name),
  tacticsOf: (techniqueId) => {
    const attack = enrichment.attack();
    const ids = attack?.techniqueOf(techniqueId)?.tactics ?? [];
    return attack === null ? [] : attack.tactics.filter(({ id }) => ids.includes(id));
  },
});
