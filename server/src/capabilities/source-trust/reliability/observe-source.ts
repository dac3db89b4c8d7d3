import type { Source } from '#capabilities/corpus/index.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import {
  type Intervals,
  ipv4Intervals,
  ipv6Intervals,
  PACKED_4_BYTES,
  PACKED_6_BYTES,
} from '../lineage/coverage.ts';
import { packedRanges } from '../lineage/store.ts';
import { type OtherSources, ROLE, type SampleGroup, sampleGroups, type Withdrawals } from './store.ts';

/** How long an entry is new; it is observed on each of these nights. */
export const NEW_DAYS = 14;
/** Gives a sampling error of at most 1 % (at a share of one half), and takes one or two seconds per source. */
const SAMPLE_MAX = 20_000;
/** Exact names among the first ten thousand are disputed (scoring 7). */
const RANK_MAX = 10_000;

export type Yardstick = {
  /** Shared ranges in which no single user is to blame: CDN edges, mail providers, crawlers. */
  readonly service: { readonly ipv4: Intervals; readonly ipv6: Intervals };
  readonly popularity: readonly Source[];
  readonly witnesses: readonly Source[];
};

export type Observation = {
  readonly sampled: number;
  readonly confirmed: number;
  readonly disputed: number;
};

export async function readYardstick(db: Db, sources: readonly Source[]): Promise<Yardstick> {
  const context = sources.filter(({ enabled, threatClass }) => enabled && threatClass !== 'threat');
  const guarding = (guard: Source['guard']) => context.filter((source) => source.guard === guard);
  const ranges = await packedRanges(
    db,
    guarding('service').map(({ number }) => number),
  );
  const packed = (version: 4 | 6) =>
    Buffer.concat(ranges.filter((range) => range.version === version).map((range) => range.packed));
  return {
    service: { ipv4: ipv4Intervals(packed(4)), ipv6: ipv6Intervals(packed(6)) },
    popularity: guarding('popularity'),
    // Without aggregates, because an aggregate repeats the source that it would confirm.
    witnesses: sources.filter(
      ({ enabled, threatClass, aggregate, adOnly }) =>
        enabled && threatClass === 'threat' && !aggregate && !adOnly,
    ),
  };
}

/** Sources with the same cluster are one opinion (scoring 3), so a copy confirms nothing. */
const opinionOf = ({ cluster, lineage, id }: Source): string => cluster ?? lineage ?? id;

/**
 * The fate of the entries that the source listed for the first time in the last 14 days. Disputed: inside a service
 * range, exactly a name among the first 10,000, or withdrawn within a day. Confirmed: not disputed, and another lineage
 * lists it too. Other entries do not count, because most true entries are on one list only.
 */
export async function observeSource(
  db: Db,
  source: Source,
  yardstick: Yardstick,
  given: { readonly nowMs: number; readonly withdrawals: Withdrawals | undefined },
): Promise<Observation> {
  const groups = await sampleGroups(db, {
    sourceNumber: source.number,
    others: othersOf(source, yardstick),
    rankMax: RANK_MAX,
    sinceMs: given.nowMs - NEW_DAYS * DAY_MS,
    withinDays: NEW_DAYS,
    limit: SAMPLE_MAX,
  });
  const withdrawn = Math.min(SAMPLE_MAX, withdrawnOf(given.withdrawals));
  let [sampled, confirmed, disputed] = [withdrawn, 0, withdrawn];
  for (const group of groups) {
    const inService = group.isPopular ? group.entries : entriesInside(group, yardstick.service);
    sampled += group.entries;
    disputed += inService;
    if (group.isConfirmed) confirmed += group.entries - inService;
  }
  return { sampled, confirmed, disputed };
}

/** No source confirms an aggregate, because its entries are not its own. */
function othersOf(source: Source, { witnesses, popularity }: Yardstick): OtherSources {
  const peers = source.aggregate
    ? []
    : witnesses.filter((witness) => opinionOf(witness) !== opinionOf(source));
  const length = Math.max(source.number, ...[...peers, ...popularity].map(({ number }) => number));
  const column = () => Array.from({ length }, () => 0);
  const [roles, dataAtS, rankMax] = [column(), column(), column()];
  const put = (other: Source, role: number): void => {
    const at = other.number - 1;
    [roles[at], dataAtS[at], rankMax[at]] = [role, other.dataAtS, other.rankMax ?? 0];
  };
  for (const peer of peers) put(peer, peer.letter === 'A' ? ROLE.authority : ROLE.peer);
  for (const list of popularity) put(list, ROLE.popularity);
  return { roles, dataAtS, rankMax };
}

/**
 * A withdrawal within a day takes an accusation back, unless the list works that way: one that names the attackers of
 * the last hours drops most of its entries within a day without taking them back.
 */
function withdrawnOf(withdrawals: Withdrawals | undefined): number {
  if (withdrawals === undefined || withdrawals.shortLived * 2 > withdrawals.ended) return 0;
  return withdrawals.shortLived;
}

/** Counts entries that lie completely inside: a range that only touches a service range accuses other addresses too. */
function entriesInside({ version, packed }: SampleGroup, { ipv4, ipv6 }: Yardstick['service']): number {
  if (version === 0) return 0;
  const [size, intervalsOf, service] =
    version === 4
      ? ([PACKED_4_BYTES, ipv4Intervals, ipv4] as const)
      : ([PACKED_6_BYTES, ipv6Intervals, ipv6] as const);
  if (service.size === 0) return 0;
  let inside = 0;
  for (let at = 0; at < packed.length; at += size)
    if (isInside(intervalsOf(packed.subarray(at, at + size)), service)) inside += 1;
  return inside;
}

function isInside(entry: Intervals, { starts, ends }: Intervals): boolean {
  const [start, end] = [entry.starts[0], entry.ends[0]];
  if (start === undefined || end === undefined) return false;
  let [low, high] = [0, starts.length - 1];
  // Finds the last interval that begins at or before the entry; intervals are disjoint, so no other can hold it.
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= start) low = middle + 1;
    else high = middle - 1;
  }
  return high >= 0 && end <= (ends[high] as number);
}
