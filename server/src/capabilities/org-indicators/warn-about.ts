import { accuses, contextOf, type IndicatorContext } from '#capabilities/corpus/index.ts';
import type { Item, SubmitWarning, Told } from './contract.ts';
import { type RangeCorpus, warningsInside } from './range-contents.ts';

type Warning = Omit<SubmitWarning, 'index'>;

/** Blocking one of the 100,000 most visited names gets a warning (decisions 3.18). */
const RANK_MAX = 100_000;

/**
 * Warns of blocking a popular, shared or reserved value or a known service, or a range that holds some, and of allowing
 * one that lists accuse. `ranges`: how many ranges the batch blocks.
 */
export function warnAbout(corpus: RangeCorpus, item: Item, ranges = 1): readonly Warning[] {
  const { listings } = corpus.lookup(item.indicator);
  const context = contextOf(listings, item.indicator);
  const { indicator } = item;
  const inside = item.disposition === 'block' && indicator.kind === 'cidr';
  const told =
    item.disposition === 'block'
      ? [...warningsOfBlocked(context), ...(inside ? warningsInside(corpus, indicator, ranges) : [])]
      : warningsOfAllowed(
          listings.filter((listing) => listing.isDelisted !== true && accuses(listing.source)).length,
        );
  return told.map((warning) => ({ value: indicator.value, ...warning }));
}

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
