import { type AsnMembersDeps, asnMembers } from '#capabilities/context-pages/index.ts';
import type { Listing, WalkableCorpus } from '#capabilities/corpus/index.ts';
import type { AutonomousSystem, Enrichment, NetworkFacts, Networks } from '#capabilities/enrichment/index.ts';
import { type Assessor, listedAsn } from '#capabilities/judging/index.ts';
import type { Addresses, Lookup, Observations } from '#capabilities/providers/index.ts';
import type { Domain, Ip } from '#domain/indicator/index.ts';
import { ServiceError } from '#platform/errors.ts';
import type { AsnQuery, AsnReply, NETWORK_TYPES } from './contract.ts';
import type { CountListed } from './count-listed.ts';

export type NetworkDeps = {
  readonly corpus: Pick<WalkableCorpus, 'lookup' | 'neighbourhood' | 'accusedBetween'>;
  readonly assess: Assessor;
  readonly enrichment: Pick<Enrichment, 'book' | 'networks'>;
  readonly countListed: CountListed;
  readonly clock: AsnMembersDeps['clock'];
  readonly addresses: Pick<Lookup<Domain, Addresses>, 'isOn' | 'ask'>;
  readonly observations: Pick<Observations, 'byPivot'>;
};
export type NetworkType = (typeof NETWORK_TYPES)[number];

/** How an operator loads the table of networks. */
export const LOAD_NETWORKS =
  'No table of networks is loaded on this service. An operator sets REFERENCE_ASN_URL, or loads a file: npm run admin -- reference load asn FILE';
/** Categories that lists use for networks of hosting companies. */
const HOSTING_WORDS = ['cloud', 'hosting', 'datacenter'];

/** The table of networks is in memory; the count of listed addresses comes from PostgreSQL (decisions 3.7). */
export async function lookUpAsn(deps: NetworkDeps, query: AsnQuery): Promise<AsnReply> {
  const networks = deps.enrichment.networks();
  if (networks === null) return withoutTable(deps, query);
  const asked = 'ip' in query ? announcedBy(deps, query.ip) : { asn: query.asn, facts: null };
  const listings = listingsOf(deps, asked.asn);
  const system = networks.find(asked.asn);
  if (system === null && listings.length === 0)
    throw new ServiceError('Not Found', `AS${asked.asn} is not in the table of networks nor on a list.`);
  const members = query.hasMembers ? await asnMembers(deps, asked.asn, query.cursor) : null;
  const reply = present(query, networks, {
    ...asked,
    system,
    listings,
    listedIps: system === null ? 0 : await deps.countListed(networks, system),
  });
  return members === null ? reply : { ...reply, members };
}

/** Lists of criminal networks need no table, so a number is still looked up in them. */
function withoutTable(deps: NetworkDeps, query: AsnQuery): AsnReply {
  const asn = 'asn' in query ? query.asn : null;
  const listings = asn === null ? [] : listingsOf(deps, asn);
  const drop = asn === null ? null : listedAsn(asn, listings);
  return {
    ip: 'ip' in query ? query.ip.value : null,
    asn,
    asName: null,
    org: null,
    country: null,
    registry: null,
    type: networkTypeOf(listings),
    prefix: null,
    allocatedAt: null,
    listed: asn === null ? null : drop !== null,
    list: drop?.sourceId ?? null,
    listedIps: null,
    updatedAt: null,
    loaded: false,
    message: LOAD_NETWORKS,
  };
}

function announcedBy({ enrichment }: NetworkDeps, ip: Ip): { asn: number; facts: NetworkFacts } {
  const facts = enrichment.book().networkOf(ip);
  if (facts === null) throw new ServiceError('Not Found', `No network announces ${ip.value}.`);
  return { asn: facts.asn, facts };
}

type Found = {
  readonly asn: number;
  readonly facts: NetworkFacts | null;
  readonly system: AutonomousSystem | null;
  readonly listings: readonly Listing[];
  readonly listedIps: number;
};

function present(query: AsnQuery, { dataAtMs }: Networks, found: Found): AsnReply {
  const { asn, facts, system, listings, listedIps } = found;
  const name = facts?.name ?? system?.name ?? null;
  const drop = listedAsn(asn, listings);
  return {
    ip: 'ip' in query ? query.ip.value : null,
    asn,
    asName: name,
    org: name,
    country: null,
    registry: null,
    type: networkTypeOf(listings),
    prefix: facts?.prefix ?? null,
    allocatedAt: null,
    listed: drop !== null,
    list: drop?.sourceId ?? null,
    listedIps,
    updatedAt: new Date(dataAtMs).toISOString(),
    loaded: true,
    message: NO_REGISTRY,
  };
}

const NO_REGISTRY =
  'country, registry and allocatedAt are null: no table of networks that this service reads has them.';

export const listingsOf = ({ corpus }: Pick<NetworkDeps, 'corpus'>, asn: number): readonly Listing[] =>
  corpus.lookup({ kind: 'asn', value: `AS${asn}`, number: asn }).listings;

/** Only lists decide: a name such as "Example Hosting" proves nothing. */
export const networkTypeOf = (listings: readonly Listing[]): NetworkType =>
  listings.some(({ source, isDelisted }) => {
    if (source.threatClass === 'threat' || isDelisted === true) return false;
    return [source.category, ...source.attributes].some((word) => HOSTING_WORDS.includes(word));
  })
    ? 'hosting'
    : 'unknown';
