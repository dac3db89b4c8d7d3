import { presentInfrastructure } from '#capabilities/check/index.ts';
import { type GeoReply, networkOfLabels } from '#capabilities/enrichment/index.ts';
import type { Assessor } from '#capabilities/judging/index.ts';
import { type Addresses, foundValue, isDegraded, type Lookup } from '#capabilities/providers/index.ts';
import { type Domain, type Ip, parseIndicator } from '#domain/indicator/index.ts';
import type { LocationReply, NetworkReply } from './contract.ts';
import { LOAD_NETWORKS, listingsOf, type NetworkDeps, networkTypeOf } from './look-up-asn.ts';

export type LocateDeps = {
  readonly assess: Assessor;
  readonly addresses: Pick<Lookup<Domain, Addresses>, 'isOn' | 'ask'>;
};

const RESOLVE_MS = 5_000;

/** A failed resolution must not look like a name without addresses. */
const UNRESOLVED = 'The name could not be resolved. This says nothing about the target: try again later.';
const LOAD_GEO =
  'No location file is loaded on this service. An operator sets REFERENCE_GEO_URL, or loads a file: npm run admin -- reference load geo FILE';
const LOAD_CITIES =
  'The loaded location file knows countries only, or no city for this address. For cities an operator loads a city file: npm run admin -- reference load geo FILE';
const LOAD_LISTS =
  'No threat list for addresses is loaded on this service. The worker loads lists when FEEDS_ENABLED is true; from a file: npm run admin -- feeds import ID FILE';
const NOT_HERE = 'Names are not resolved here. An operator adds dns to LIVE_PROVIDERS.';

/** An address is located from memory at once; a name by the first address it resolves to (contract 4.2, G56). */
export function locate(
  { assess, addresses }: LocateDeps,
  host: Ip | Domain,
  signal?: AbortSignal,
): LocationReply | Promise<LocationReply> {
  if (host.kind === 'ip') return locationOf(assess(host), host);
  return addresses.isOn ? locateName({ assess, addresses }, host, signal) : { geo: null, message: NOT_HERE };
}

/** Whether the service lacks what it needs to locate anything, so that the answer costs nothing (decisions O63). */
export const isUnlocatable = ({ message }: LocationReply): boolean =>
  message === NOT_HERE || message === LOAD_GEO;

/** Without a loaded file `geo` is null for every address, which must not look like an unknown place. */
function locationOf(assessment: ReturnType<Assessor>, ip: Ip): LocationReply {
  const geo = geoOf(assessment, ip);
  if (geo === null) return assessment.book.geoAtMs === null ? { geo, message: LOAD_GEO } : { geo };
  return geo.city === null ? { geo, message: LOAD_CITIES } : { geo };
}

async function locateName(
  { assess, addresses }: LocateDeps,
  name: Domain,
  signal: AbortSignal | undefined,
): Promise<LocationReply> {
  const outcome = await addresses.ask(name, {
    deadlineMs: RESOLVE_MS,
    ...(signal === undefined ? {} : { signal }),
  });
  if (isDegraded(outcome)) return { geo: null, message: UNRESOLVED };
  const found = foundValue(outcome);
  const parsed = parseIndicator(found?.a[0] ?? found?.aaaa[0] ?? '');
  if (!parsed.ok || parsed.indicator.kind !== 'ip') return { geo: null };
  return locationOf(assess(parsed.indicator), parsed.indicator);
}

/** Answers from memory alone (decisions 3.7). */
export function describeNetwork(deps: NetworkDeps, ip: Ip): NetworkReply {
  const assessment = deps.assess(ip);
  const { book, context } = assessment;
  const facts = book.networkOf(ip);
  const { prefix, total, listed } = deps.corpus.neighbourhood(ip);
  const infrastructure = presentInfrastructure(assessment);
  const isCounted = assessment.corpus.coverage > 0;
  const missing = [
    ...(deps.enrichment.networks() === null ? [LOAD_NETWORKS] : []),
    ...(isCounted ? [] : [LOAD_LISTS]),
  ];
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
    neighbourhood: {
      prefix,
      total,
      listed: isCounted ? listed : null,
      ratio: isCounted ? Math.round((listed / total) * 10_000) / 10_000 : null,
    },
    ...(missing.length === 0 ? {} : { message: missing.join(' ') }),
    ...(infrastructure === null ? {} : { infrastructure }),
  };
}

function geoOf({ book, context }: ReturnType<Assessor>, ip: Ip): GeoReply | null {
  const geo = book.geoOf(ip);
  return geo === null ? null : { ...geo, network: networkOfLabels(context.labels, context.tags) };
}
