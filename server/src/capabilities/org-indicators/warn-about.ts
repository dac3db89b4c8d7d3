import { accuses, type Corpus, contextOf, type IndicatorContext } from '#capabilities/corpus/index.ts';
import type { Item, SubmitWarning } from './contract.ts';

type Warning = Omit<SubmitWarning, 'index'>;

/** Blocking one of the 100,000 most visited names gets a warning (decisions 3.18). */
const RANK_MAX = 100_000;

/** Warns of blocking a popular, shared or reserved value or a known service, and of allowing one that lists accuse. */
export function warnAbout(corpus: Pick<Corpus, 'lookup'>, item: Item): readonly Warning[] {
  const { listings } = corpus.lookup(item.indicator);
  const context = contextOf(listings, item.indicator);
  const { value } = item.indicator;
  const told =
    item.disposition === 'block'
      ? warningsOfBlocked(context)
      : warningsOfAllowed(
          listings.filter((listing) => listing.isDelisted !== true && accuses(listing.source)).length,
        );
  return told.map((warning) => ({ value, ...warning }));
}

type Told = Omit<Warning, 'value'>;

function warningsOfBlocked({ isReserved, rankBucket, service, labels }: IndicatorContext): readonly Told[] {
  const told: Told[] = [];
  if (isReserved)
    told.push({
      code: 'private',
      message:
        'A private or reserved address: it is on your list, and checks keep saying that reputation does not apply to it.',
    });
  if (rankBucket !== null && rankBucket <= RANK_MAX)
    told.push({
      code: 'popular',
      message: `Among the ${rankBucket.toLocaleString('en')} most visited names: blocking it may stop work.`,
    });
  if (service)
    told.push({
      code: 'service',
      message: `It belongs to ${service.name} of ${service.operator}: blocking it may stop work.`,
    });
  const words = labels.filter((label) => label !== 'bogon');
  if (words.length > 0)
    told.push({
      code: 'infrastructure',
      message: `Known as ${words.join(', ')}: others use it too, and blocking it may hit them.`,
    });
  return told;
}

const warningsOfAllowed = (lists: number): readonly Told[] =>
  lists === 0
    ? []
    : [
        {
          code: 'accused',
          message: `${lists === 1 ? 'One list accuses' : `${lists} lists accuse`} it now: checks keep counting that, and say that you allow it.`,
        },
      ];
