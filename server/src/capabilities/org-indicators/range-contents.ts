import { contextOf, type WalkableCorpus } from '#capabilities/corpus/index.ts';
import { type Cidr4, type Cidr6, containsBogon, isBogon } from '#domain/indicator/index.ts';
import { servicesWithin } from '#domain/services/index.ts';
import { plural } from '#domain/text/plural.ts';
import type { Told } from './contract.ts';

export type RangeCorpus = Pick<WalkableCorpus, 'lookup' | 'describedWithin'>;

/** Listed ranges, and as many listed addresses, that are read for all ranges of a batch: about 20 ms. */
const KEYS_MAX = 5_000;
/** Described values of a batch whose context is read, about 10 us each. */
const CONTEXTS_MAX = 2_000;
const WORDS_SHOWN_MAX = 4;

type Tally = { count: number; example: string };

/**
 * What blocking a range would hit besides its target: named services, popular hosts and shared infrastructure inside it.
 * The ranges of a batch, `ranges` of them, share what is read, so that a batch costs no more than one range.
 */
export function warningsInside(corpus: RangeCorpus, range: Cidr4 | Cidr6, ranges: number): readonly Told[] {
  const contextsMax = Math.ceil(CONTEXTS_MAX / ranges);
  const services = new Map(servicesWithin(range).map(({ name, value }) => [name, value]));
  const popular: Tally = { count: 0, example: '' };
  const shared: Tally = { count: 0, example: '' };
  const words = new Set<string>();
  const { values, isPartial } = corpus.describedWithin(range, Math.ceil(KEYS_MAX / ranges));
  for (const indicator of values.slice(0, contextsMax)) {
    const { value } = indicator;
    const context = contextOf(corpus.lookup(indicator).listings, indicator);
    if (context.service && !services.has(context.service.name)) services.set(context.service.name, value);
    if (context.guards.some(({ guard }) => guard === 'popularity' || guard === 'known-good'))
      add(popular, value);
    const labels = context.labels.filter((label) => label !== 'bogon' && label !== 'allowlist');
    if (labels.length > 0) add(shared, value);
    for (const label of labels) words.add(label);
  }
  const least = isPartial || values.length > contextsMax ? 'at least ' : '';
  const privates =
    !isBogon(range) && containsBogon(range)
      ? [
          {
            code: 'private' as const,
            message: 'The range holds private or reserved addresses, which may be those of your own network.',
          },
        ]
      : [];
  return [
    ...privates,
    ...serviceWarning(services),
    ...warning(
      'popular',
      popular,
      `${least}${plural(popular.count, 'value')} of popular or known-good hosts`,
    ),
    ...warning(
      'infrastructure',
      shared,
      `${least}${plural(shared.count, 'address or range', 'addresses and ranges')} known as ${[...words].sort().slice(0, WORDS_SHOWN_MAX).join(', ')}`,
    ),
  ];
}

function add(tally: Tally, value: string): void {
  if (tally.count === 0) tally.example = value;
  tally.count += 1;
}

function serviceWarning(services: ReadonlyMap<string, string>): readonly Told[] {
  const [first] = services;
  if (first === undefined) return [];
  const [name, value] = first;
  return [
    {
      code: 'service',
      message: `The range holds ${plural(services.size, 'named service')}, such as ${name} (${value}): blocking it may stop work.`,
    },
  ];
}

const warning = (code: Told['code'], { count, example }: Tally, what: string): readonly Told[] =>
  count === 0
    ? []
    : [
        {
          code,
          message: `The range holds ${what}, such as ${example}: others use them, and blocking it may hit them.`,
        },
      ];
