import { presentInfrastructure } from '#capabilities/check/index.ts';
import { type GeoReply, networkOfLabels } from '#capabilities/enrichment/index.ts';
import type { Domain, Ip } from '#domain/indicator/index.ts';
import type { LocationReply, NetworkReply } from './contract.ts';
import { listingsOf, type NetworkDeps, networkTypeOf } from './look-up-asn.ts';

/** Contract 4.2. A name would have to be resolved, which is a live lookup: null until those are there (G56). */
export function locate({ assess }: Pick<NetworkDeps, 'assess'>, host: Ip | Domain): LocationReply {
  return { geo: host.kind === 'ip' ? geoOf(assess(host), host) : null };
}

/** Decisions 3.7, from memory alone. */
export function describeNetwork(deps: NetworkDeps, ip: Ip): NetworkReply {
  const assessment = deps.assess(ip);
  const { book, context } = assessment;
  const facts = book.networkOf(ip);
  const { prefix, total, listed } = deps.corpus.neighbourhood(ip);
  const infrastructure = presentInfrastructure(assessment);
  return {
    ip: ip.value,
    asn:
      facts === null
        ? null
        : {
            asn: facts.asn,
            name: facts.name,
            org: facts.name,
            country: null,
            type: networkTypeOf(listingsOf(deps, facts.asn)),
          },
    prefix: facts?.prefix ?? null,
    geo: geoOf(assessment, ip),
    network: networkOfLabels(context.labels, context.tags),
    neighbourhood: { prefix, total, listed, ratio: Math.round((listed / total) * 10_000) / 10_000 },
    ...(infrastructure === null ? {} : { infrastructure }),
  };
}

function geoOf({ book, context }: ReturnType<NetworkDeps['assess']>, ip: Ip): GeoReply | null {
  const geo = book.geoOf(ip);
  return geo === null ? null : { ...geo, network: networkOfLabels(context.labels, context.tags) };
}
