import { type Cidr4, type Cidr6, type Ip, parseIndicator } from '#domain/indicator/index.ts';
import { LISTINGS } from './dataset.ts';
import { textOfKey } from './indicator-of-key.ts';
import { addressKeys, type KeyRange, rangeKeys } from './key-range.ts';
import type { CorpusView, ListingReader } from './listing-reader.ts';

export type DescribedWithin = {
  /** Addresses and ranges inside the range that a source names without accusing them, ranges first. */
  readonly values: readonly (Ip | Cidr4 | Cidr6)[];
  /** True: the range holds more listed values than were read. */
  readonly isPartial: boolean;
};

/** Reads at most `keysMax` listed ranges and as many listed addresses inside the range, about 2 us each. */
export function describedWithin(
  view: CorpusView,
  reader: ListingReader,
  range: Cidr4 | Cidr6,
  keysMax: number,
): DescribedWithin {
  const values: (Ip | Cidr4 | Cidr6)[] = [];
  let isPartial = false;
  const read = ({ from, to }: KeyRange): void => {
    const keys = view.keysBetween?.(LISTINGS, from, to, keysMax) ?? [];
    if (keys.length >= keysMax) isPartial = true;
    for (const key of keys) {
      const indicator = reader.isDescribed(key) ? indicatorOf(key) : null;
      if (indicator !== null && isInside(indicator, range)) values.push(indicator);
    }
  };
  read(rangeKeys(range));
  read(addressKeys(range));
  return { values, isPartial };
}

function indicatorOf(key: Uint8Array): Ip | Cidr4 | Cidr6 | null {
  const parsed = parseIndicator(textOfKey(key) ?? '');
  return parsed.ok && (parsed.indicator.kind === 'ip' || parsed.indicator.kind === 'cidr')
    ? parsed.indicator
    : null;
}

/** A wider range may begin at the same address; it lies around the range and not inside it. */
const isInside = (indicator: Ip | Cidr4 | Cidr6, { bits }: Cidr4 | Cidr6): boolean =>
  indicator.kind === 'ip' || indicator.bits > bits;
