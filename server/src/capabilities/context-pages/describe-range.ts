import {
  contextOf,
  indicatorOfKey,
  KIND,
  type Listing,
  type WalkableCorpus,
} from '#capabilities/corpus/index.ts';
import type { NetworkBook } from '#capabilities/enrichment/index.ts';
import type { Cidr4, Cidr6 } from '#domain/indicator/index.ts';
import type { AsnMembersDeps } from './asn-members.ts';
import { RANGES_SHOWN_MAX, type RangePage, type RangeQuery, type SourceRef } from './contract.ts';
import { examineMembers } from './examine-members.ts';
import { presentMembers, refuseBadCursor } from './present-members.ts';
import { endsOf, probesOf, unitsOf } from './range-addresses.ts';
import { walkAddresses } from './walk-addresses.ts';

export type RangeDeps = Pick<AsnMembersDeps, 'assess' | 'clock'> & {
  readonly corpus: Pick<WalkableCorpus, 'lookup' | 'accusedBetween'>;
  readonly enrichment: { readonly book: () => NetworkBook };
};

const RANGE_KEYS_MAX = 500;
/** Bytes of an IPv6 key that are the same for a whole /64: the byte of the kind and eight bytes of the address. */
const SITE_KEY_BYTES = 9;
/** Ratios are rounded to four decimals, which is what a bar of the dashboard can show. */
const RATIO_DIGITS = 10_000;

/** What lists hold inside a range of addresses and around it; answered by the replica alone. */
export async function describeRange(deps: RangeDeps, { range, cursor }: RangeQuery): Promise<RangePage> {
  const subject = `network ${range.value}`;
  refuseBadCursor(subject, cursor);
  const { keys, candidates, isPartial } = await walkAddresses(deps.corpus, [endsOf(range)]);
  const examined = await examineMembers(deps.assess, candidates, deps.clock.now());
  const { listings } = deps.corpus.lookup(range);
  const { guards, labels, tags } = contextOf(listings, range);
  const around = rangesAround(listings, range);
  const inside = rangesInside(deps.corpus, range);
  const ranges = [...around, ...inside.ranges];
  return {
    cidr: range.value,
    networks: networksOf(deps.enrichment.book(), range),
    ranges: ranges.slice(0, RANGES_SHOWN_MAX),
    rangesTruncated: inside.isPartial || ranges.length > RANGES_SHOWN_MAX,
    guards: guards.map(({ guard, matched, sourceId }) => ({ guard, matched, source: sourceId })),
    labels: [...labels],
    tags: [...tags],
    density: densityOf(range, keys),
    ...presentMembers({ subject, cursor, examined, listed: keys.length, withheld: 0, isPartial }),
  };
}

type ListedRange = RangePage['ranges'][number];

/** The listed ranges that contain or equal the queried one, the widest first. */
function rangesAround(listings: readonly Listing[], range: Cidr4 | Cidr6): readonly ListedRange[] {
  const byRange = new Map<string, { readonly bits: number; readonly sources: SourceRef[] }>();
  for (const { matched, prefixBits, source, isDelisted } of listings) {
    if (isDelisted === true) continue;
    const known = byRange.get(matched) ?? { bits: prefixBits ?? range.bits, sources: [] };
    known.sources.push(refOf(source));
    byRange.set(matched, known);
  }
  return [...byRange]
    .sort(([, a], [, b]) => a.bits - b.bits)
    .map(([cidr, { sources }]) => ({
      cidr,
      relation: cidr === range.value ? ('equals' as const) : ('covers' as const),
      sources,
    }));
}

function rangesInside(
  corpus: Pick<WalkableCorpus, 'lookup' | 'accusedBetween'>,
  range: Cidr4 | Cidr6,
): { readonly ranges: readonly ListedRange[]; readonly isPartial: boolean } {
  const kind = Buffer.of(range.version === 4 ? KIND.cidr4 : KIND.cidr6);
  const { first, last } = endsOf(range);
  const span = {
    from: Buffer.concat([kind, first, Buffer.of(0)]),
    last: Buffer.concat([kind, last, Buffer.of(0xff)]),
  };
  const { accused, rest } = corpus.accusedBetween(span, RANGE_KEYS_MAX);
  const ranges = accused.flatMap(({ key }): ListedRange[] => {
    const parsed = indicatorOfKey(key);
    // Skips the queried range and wider ones, which may begin at the same address.
    if (parsed?.ok !== true || parsed.indicator.kind !== 'cidr' || parsed.indicator.bits <= range.bits)
      return [];
    const { value } = parsed.indicator;
    const sources = corpus
      .lookup(parsed.indicator)
      .listings.filter(({ matchType, isDelisted }) => matchType === 'exact' && isDelisted !== true)
      .map(({ source }) => refOf(source));
    return [{ cidr: value, relation: 'inside', sources }];
  });
  return { ranges, isPartial: rest !== null };
}

const refOf = ({ id, name, category, threatClass }: Listing['source']): SourceRef => ({
  id,
  name,
  category,
  threatClass,
});

function networksOf(book: NetworkBook, range: Cidr4 | Cidr6): RangePage['networks'] {
  const found = new Map<string, RangePage['networks'][number]>();
  for (const ip of probesOf(range)) {
    const facts = book.networkOf(ip);
    if (facts !== null) found.set(`${facts.asn} ${facts.prefix}`, { ...facts });
  }
  return [...found.values()];
}

function densityOf(range: Cidr4 | Cidr6, keys: readonly Uint8Array[]): RangePage['density'] {
  const total = unitsOf(range);
  const listed = range.version === 4 ? keys.length : sitesOf(keys);
  const ratio = Math.round((listed / total) * RATIO_DIGITS) / RATIO_DIGITS;
  return { unit: range.version === 4 ? 'address' : '/64', total, listed, ratio };
}

const sitesOf = (keys: readonly Uint8Array[]): number =>
  new Set(keys.map((key) => Buffer.from(key.subarray(0, SITE_KEY_BYTES)).toString('latin1'))).size;
