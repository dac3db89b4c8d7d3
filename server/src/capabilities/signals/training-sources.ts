import { accuses, type Source } from '#capabilities/corpus/index.ts';
import { scoreCategoryOf, tierOf } from '#domain/scoring/index.ts';

export type TrainingSources = {
  /** Lists whose addresses make a network crowded. */
  readonly addresses: readonly number[];
  readonly bad: readonly number[];
  readonly good: readonly number[];
  /** Popularity lists with a rank for each name. */
  readonly ranked: readonly number[];
  /** Popularity lists of at most the first 10,000 names, without ranks. */
  readonly whole: readonly number[];
};

/** Only imitations of the 10,000 most visited names give a signal. */
export const POPULAR_MAX = 10_000;

/**
 * Terms that allow reading but not every use of what is derived from a list: non-commercial ones, and the Chrome UX
 * Report, whose hosts only measure false alarms.
 */
const NOT_FOR_TRAINING = /\bNC\b|non-?commercial|chrome ux/i;
const mayTrain = ({ licence }: Source): boolean => licence === null || !NOT_FOR_TRAINING.test(licence);

export function trainingSources(sources: readonly Source[]): TrainingSources {
  const used = sources.filter(({ enabled, entries }) => enabled && entries > 0);
  const trained = used.filter(mayTrain);
  const popular = trained.filter(({ guard }) => guard === 'popularity');
  return {
    // Aggregates repeat other lists, mostly without dates, so they would make every network look crowded.
    addresses: numbersOf(used.filter((source) => accuses(source) && isTrusted(source) && !source.aggregate)),
    bad: numbersOf(trained.filter((source) => isBad(source) && isTrusted(source))),
    good: numbersOf(trained.filter(isGood)),
    ranked: numbersOf(popular.filter(({ rankMax }) => rankMax === null || rankMax > POPULAR_MAX)),
    whole: numbersOf(popular.filter(({ rankMax }) => rankMax !== null && rankMax <= POPULAR_MAX)),
  };
}

/** Four addresses of one list move a whole network, so a list without a record of being right must not train. */
const TRUSTED: ReadonlySet<string> = new Set(['A', 'B', 'C']);
const isTrusted = ({ letter }: Source): boolean => TRUSTED.has(letter);

/**
 * Lists of phishing, malware, ransomware and their servers. Left out are spam and scams, whose names look like shops,
 * and archives, which show how names looked years ago.
 */
const isBad = (source: Source): boolean =>
  accuses(source) &&
  source.fpRisk !== 'high' &&
  source.semantics !== 'archive' &&
  tierOf(scoreCategoryOf(source.category)) === 'crit';

/** Allowlists and infrastructure lists, which have ordinary names of small sites: resolvers, dynamic DNS, services. */
const isGood = ({ threatClass }: Source): boolean =>
  threatClass === 'allowlist' || threatClass === 'infrastructure';

const numbersOf = (sources: readonly Source[]): readonly number[] => sources.map(({ number }) => number);
