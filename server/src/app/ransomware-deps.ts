import type { Corpus, Source } from '#capabilities/corpus/index.ts';
import type { RansomwareDeps } from '#capabilities/ransomware/index.ts';
import { speaksOf } from '#domain/scoring/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { OpenParts } from './open-parts.ts';

/** Match types that count: listings of the value, its digests, its range or its parent. Neighbours do not count. */
const RANSOMWARE_MATCHES: readonly string[] = ['exact', 'alias', 'cidr', 'parent'];

const isOfRansomware = ({ threatClass, category, categories }: Source): boolean =>
  threatClass === 'threat' && [category, ...categories].includes('ransomware');

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
        ({ source, matchType }) => isOfRansomware(source) && RANSOMWARE_MATCHES.includes(matchType),
      )
      .map(({ source }) => source.name),
  hasRansomwareLists: (indicator) => {
    const { kind } = indicator;
    if (kind !== 'ip' && kind !== 'hash' && kind !== 'domain') return false;
    return corpus
      .lookup(indicator)
      .registry.sources.some(
        (source) => isOfRansomware(source) && source.enabled && source.dataAtS > 0 && speaksOf(source, kind),
      );
  },
  tacticsOf: (techniqueId) => {
    const attack = enrichment.attack();
    const ids = attack?.techniqueOf(techniqueId)?.tactics ?? [];
    return attack === null ? [] : attack.tactics.filter(({ id }) => ids.includes(id));
  },
});
