import { KIND } from '#capabilities/corpus/index.ts';
import type { Networks } from '#capabilities/enrichment/index.ts';
import type { StandingDeps } from '#capabilities/standing/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import {
  addressOfBytes,
  byPlace,
  type Network,
  networksBetween,
  networksWithin,
  type Region,
  regionsOf,
} from '#domain/mmdb/index.ts';
import { SERVICE_ADDRESSES, SERVICE_RANGES } from '#domain/services/index.ts';
import { keySpansOf, networkOfKey } from './network-keys.ts';

const KEYS_A_STEP = 10_000;
const ASNS_MAX = 100_000;
const SITE_BITS = 64;

export type RegionSources = Pick<StandingDeps, 'corpus'> & {
  readonly enrichment: { readonly networks: () => Networks | null };
};

/**
 * Cuts a listed range so that all addresses of a piece are judged alike. An address differs from its neighbours where a
 * source lists it, a range around it or a page on it, where its network is listed, where it belongs to a service that we
 * know, and in IPv6 where another address of its /64 is listed.
 */
export function createRegions(sources: RegionSources): (range: Network) => readonly Region[] {
  const fixed = [...servicesNetworks(), ...listedSystems(sources)].sort(byVersionAndPlace);
  const six = fixed.findIndex(({ version }) => version === 6);
  const [ofFour, ofSix] = six < 0 ? [fixed, []] : [fixed.slice(0, six), fixed.slice(six)];
  return (range) => {
    const listed = listedWithin(sources, range);
    const inside = networksWithin(range.version === 4 ? ofFour : ofSix, range);
    return regionsOf(
      [range, ...inside, ...listed.flatMap(withSite)].filter(({ bits }) => bits >= range.bits),
    );
  };
}

const byVersionAndPlace = (a: Network, b: Network): number => a.version - b.version || byPlace(a, b);

function listedWithin({ corpus }: RegionSources, range: Network): readonly Network[] {
  const found: Network[] = [];
  for (const span of keySpansOf(range))
    for (let rest: Parameters<typeof corpus.listedBetween>[0] | null = span; rest !== null; ) {
      const step: ReturnType<typeof corpus.listedBetween> = corpus.listedBetween(rest, KEYS_A_STEP);
      for (const key of step.keys) found.push(networkOfKey(key));
      rest = step.rest;
    }
  return found;
}

function withSite(network: Network): readonly Network[] {
  if (network.version === 4 || network.bits < SITE_BITS) return [network];
  const first = (network.first >> BigInt(SITE_BITS)) << BigInt(SITE_BITS);
  return [network, { version: 6, first, bits: SITE_BITS }];
}

function servicesNetworks(): readonly Network[] {
  const texts = [...SERVICE_ADDRESSES, ...SERVICE_RANGES.flatMap(({ ranges }) => ranges.split(' '))];
  return texts.flatMap((text) => {
    const parsed = parseIndicator(text);
    if (!parsed.ok) return [];
    const { indicator } = parsed;
    if (indicator.kind !== 'ip' && indicator.kind !== 'cidr') return [];
    const first = indicator.version === 4 ? BigInt(indicator.address) : addressOfBytes(indicator.bytes);
    const single = indicator.version === 4 ? 32 : 128;
    return [{ version: indicator.version, first, bits: indicator.kind === 'cidr' ? indicator.bits : single }];
  });
}

/** The networks of autonomous systems that a source accuses. */
function listedSystems({ corpus, enrichment }: RegionSources): readonly Network[] {
  const table = enrichment.networks();
  if (table === null) return [];
  const span = { from: Buffer.of(KIND.asn), last: Buffer.of(KIND.asn + 1) };
  return corpus.accusedBetween(span, ASNS_MAX).accused.flatMap(({ key }) => {
    const asn = Number(addressOfBytes(key.subarray(1)));
    return (table.find(asn)?.ranges ?? []).flatMap(({ first, last }) =>
      networksBetween(first.length === 4 ? 4 : 6, addressOfBytes(first), addressOfBytes(last)),
    );
  });
}
