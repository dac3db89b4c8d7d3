import { createKeyWriter } from '#capabilities/corpus/index.ts';
import {
  type Domain,
  formatIpv4,
  formatIpv6,
  type Indicator,
  type Ip,
  type Listable,
  parseIndicator,
} from '#domain/indicator/index.ts';

/** An entry in force, as the replica and the periods in PostgreSQL hold it. */
export type OwnEntry = {
  readonly id: string;
  readonly disposition: 'block' | 'allow';
  readonly category: string;
  readonly reason: string | null;
  readonly sinceMs: number;
  readonly endsAtMs: number | null;
};

/** An entry of the organization that bears on the indicator, and how. */
export type OwnMatch = OwnEntry & Pick<Candidate, 'matched' | 'matchType' | 'prefixBits'>;

/** What an organization says of an indicator. */
export type OwnWord = {
  /** The number of the organization's last write: part of the snapshotId of its checks. */
  readonly revision: number;
  readonly match: OwnMatch | null;
};

export type Candidate = {
  readonly key: Uint8Array;
  readonly matchType: 'exact' | 'cidr' | 'parent';
  readonly matched: string;
  readonly prefixBits?: number;
};

/** Prefix lengths of the ranges that an organization has, per IP version, longest first. */
export type PrefixLengths = { readonly bits4: readonly number[]; readonly bits6: readonly number[] };

const keys = createKeyWriter();
const keyOf = (indicator: Listable): Uint8Array => Uint8Array.from(keys.of(indicator));

/** Keys of entries that would bear on the indicator, closest first; for names the parents up to the registrable one. */
export function candidatesOf(indicator: Indicator, lengths: PrefixLengths): readonly Candidate[] {
  switch (indicator.kind) {
    case 'hash':
      return [{ key: keyOf(indicator), matchType: 'exact', matched: indicator.value }];
    case 'ip':
      return ofAddress(indicator, lengths);
    case 'domain':
      return ofName(indicator, 'exact');
    case 'url':
      return indicator.host.kind === 'ip'
        ? ofAddress(indicator.host, lengths)
        : ofName(indicator.host, 'exact');
    case 'email':
      return ofName(indicator.domain, 'parent');
    case 'cidr':
      return [
        { key: keyOf(indicator), matchType: 'exact', matched: indicator.value, prefixBits: indicator.bits },
      ];
  }
}

function ofAddress(ip: Ip, { bits4, bits6 }: PrefixLengths): readonly Candidate[] {
  const found: Candidate[] = [{ key: keyOf(ip), matchType: 'exact', matched: ip.value }];
  const text = ip.version === 4 ? formatIpv4(ip.address) : formatIpv6(ip.bytes);
  for (const prefixBits of ip.version === 4 ? bits4 : bits6) {
    const range = parseIndicator(`${text}/${prefixBits}`);
    if (range.ok && range.indicator.kind === 'cidr')
      found.push({
        key: keyOf(range.indicator),
        matchType: 'cidr',
        matched: range.indicator.value,
        prefixBits,
      });
  }
  return found;
}

function ofName({ value, registrable }: Domain, matchType: 'exact' | 'parent'): readonly Candidate[] {
  const found: Candidate[] = [{ key: Uint8Array.from(keys.domainAt(value, 0)), matchType, matched: value }];
  const last = registrable === null ? 0 : value.length - registrable.length;
  for (let start = value.indexOf('.') + 1; start > 0 && start <= last; start = value.indexOf('.', start) + 1)
    found.push({
      key: Uint8Array.from(keys.domainAt(value, start)),
      matchType: 'parent',
      matched: value.slice(start),
    });
  return found;
}

/**
 * Chooses the closest entry. An allowed entry for the value itself or a range around it outranks all blocked ones, as
 * in the downloadable lists. An allowed name does not cover its subdomains.
 */
export function chooseMatch(
  candidates: readonly Candidate[],
  entryOf: (candidate: Candidate) => OwnEntry | undefined,
  nowMs: number,
): OwnMatch | null {
  let blocked: OwnMatch | null = null;
  for (const candidate of candidates) {
    const entry = entryOf(candidate);
    if (entry === undefined || (entry.endsAtMs !== null && entry.endsAtMs <= nowMs)) continue;
    const { matched, matchType, prefixBits } = candidate;
    const match = { ...entry, matched, matchType, ...(prefixBits !== undefined && { prefixBits }) };
    if (entry.disposition === 'block') blocked ??= match;
    else if (matchType !== 'parent') return match;
  }
  return blocked;
}
