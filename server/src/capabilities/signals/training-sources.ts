import { accuses, type Source } from '#capabilities/corpus/index.ts';
import { scoreCategoryOf } from '#domain/scoring/index.ts';

export type TrainingSources = {
  /** Lists whose addresses make a network crowded. */
  readonly addresses: readonly number[];
  /** Of these, lists of command servers. */
  readonly commandServers: readonly number[];
  /** Lists of phishing, whose new names teach the table of names. */
  readonly bad: readonly number[];
  /** Lists of attacks: a name on one of them is not a good name. */
  readonly accusing: readonly number[];
  /** Lists of phishing whose new tenants make a platform hot: lists of malware doubled its false alarms. */
  readonly heating: readonly number[];
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
  // Aggregates repeat other lists, mostly without dates, so they would make every network and platform look crowded.
  const original = used.filter((source) => accuses(source) && !source.aggregate);
  const addresses = original.filter(isTrusted);
  const accusing = trained.filter((source) => isBad(source) && isTrusted(source));
  return {
    addresses: numbersOf(addresses),
    commandServers: numbersOf(addresses.filter((source) => categoryOf(source) === 'c2')),
    bad: numbersOf(accusing.filter(isPhishing)),
    accusing: numbersOf(accusing),
    heating: numbersOf(original.filter((source) => SERIOUS.has(source.letter) && isPhishing(source))),
    good: numbersOf(trained.filter(isGood)),
    ranked: numbersOf(popular.filter(({ rankMax }) => rankMax === null || rankMax > POPULAR_MAX)),
    whole: numbersOf(popular.filter(({ rankMax }) => rankMax !== null && rankMax <= POPULAR_MAX)),
  };
}

/** Four addresses of one list move a whole network, so a list without a record of being right must not train. */
const TRUSTED: ReadonlySet<string> = new Set(['A', 'B', 'C']);
const isTrusted = ({ letter }: Source): boolean => TRUSTED.has(letter);
const SERIOUS: ReadonlySet<string> = new Set(['A', 'B']);

const categoryOf = ({ category }: Source) => scoreCategoryOf(category);
const ATTACKS: ReadonlySet<string> = new Set(['phishing', 'malware', 'ransomware', 'c2']);
const isPhishing = (source: Source): boolean => categoryOf(source) === 'phishing';
const isAttack = (source: Source): boolean => ATTACKS.has(categoryOf(source));

/**
 * Lists of phishing, malware, ransomware and their servers. Left out are spam and scams, whose names look like shops,
 * and archives, which show how names looked years ago.
 */
const isBad = (source: Source): boolean =>
  accuses(source) && source.fpRisk !== 'high' && source.semantics !== 'archive' && isAttack(source);

/** Allowlists and infrastructure lists, which have ordinary names of small sites: resolvers, dynamic DNS, services. */
const isGood = ({ threatClass }: Source): boolean =>
  threatClass === 'allowlist' || threatClass === 'infrastructure';

const numbersOf = (sources: readonly Source[]): readonly number[] => sources.map(({ number }) => number);
