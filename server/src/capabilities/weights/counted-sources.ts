import { accuses, type Source } from '#capabilities/corpus/index.ts';
import { type CountedNumbers, RANK_MAX } from './count-store.ts';

export type CountedSources = {
  /** Every threat source in use that has a row of the catalogue, aggregates too. Own lists have no cells (O81). */
  readonly threats: readonly Source[];
  readonly numbers: CountedNumbers;
};

const DYNAMIC_DNS = 'dynamic-dns';

export function countedSources(sources: readonly Source[]): CountedSources {
  // A list that is empty today keeps the memory of its cells.
  const used = sources.filter(({ enabled, dataAtS }) => enabled && dataAtS > 0);
  const threats = used.filter((source) => accuses(source) && source.ownList !== true);
  const popular = used.filter(({ threatClass, guard }) => threatClass !== 'threat' && guard === 'popularity');
  const isWhole = ({ rankMax }: Source): boolean => rankMax !== null && rankMax <= RANK_MAX;
  return {
    threats,
    numbers: {
      threats: numbersOf(threats),
      ranked: numbersOf(popular.filter((source) => !isWhole(source))),
      whole: numbersOf(popular.filter(isWhole)),
      roots: numbersOf(
        used.filter(
          ({ threatClass, guard, attributes }) =>
            threatClass !== 'threat' && (guard === 'platform' || attributes.includes(DYNAMIC_DNS)),
        ),
      ),
    },
  };
}

const numbersOf = (sources: readonly Source[]): readonly number[] => sources.map(({ number }) => number);
