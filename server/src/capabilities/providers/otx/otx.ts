import { createHash } from 'node:crypto';
import { hostOf, isBogon } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Outbound } from '#platform/outbound.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { Otx } from '../contract-opinions.ts';
import { fetchJson, type JsonAnswer, reachOf, serviceUrl } from '../fetch-json.ts';
import { type Answer, type Ask, type Provider, ProviderFailure } from '../provider.ts';
import type { OtxKey } from '../providers.ts';
import { notPublic, serviceFailure } from '../service-failure.ts';
import { readGeneral } from './read-general.ts';
import { readFileAnalysis, readLabsReputation, readPassiveDns } from './read-sections.ts';

export type OtxDeps = {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly key?: string;
};
type Subject = OtxKey['indicator'];

const CALLED = 'The community intelligence service';
const SOURCE = 'AlienVault OTX';
const DEADLINE_MS = 6_000;
const AT_ONCE_MAX = 8;
/** 50 pulses with the descriptions of their indicators are some 300 kB. */
const BYTES_MAX = 2 * 1024 * 1024;
const FRESH_MS = 6 * HOUR_MS;
/** An indicator without pulses may get one within the hour. */
const UNKNOWN_MS = HOUR_MS;
const PARTIAL_MS = 60_000;
const KEEP_MS = 7 * DAY_MS;
/** The extra sections end before the frame's deadline, so that a slow one cannot cost the pulses. */
const EXTRAS_SHARE = 0.75;
/** The outbound guard refuses longer URLs. */
const PATH_MAX = 3_500;
const PLAIN_KEY_MAX = 260;

/** Community intelligence with the API of OTX (contract 2.4). */
export function createOtxProvider(deps: OtxDeps): Provider<OtxKey, Otx> {
  const { host } = serviceUrl(deps.baseUrl, '');
  return {
    name: 'otx',
    ...(deps.key === undefined ? { unconfigured: 'Set OTX_KEY to a key of the OTX API.' } : {}),
    keyOf: ({ indicator, isWhole }) =>
      `${isWhole ? 'whole' : 'brief'}:${indicator.kind}:${shortOf(indicator)}`,
    upstreamOf: () => host,
    schema: Otx,
    deadlineMs: DEADLINE_MS,
    atOnceMax: AT_ONCE_MAX,
    freshMs: FRESH_MS,
    absentMs: UNKNOWN_MS,
    keepMs: KEEP_MS,
    ask: (key, ask) => lookUp(deps, key, ask),
  };
}

/** URLs may hold secrets and be long, so the key holds their hash. */
const shortOf = ({ kind, value }: Subject): string =>
  kind === 'url' || value.length > PLAIN_KEY_MAX ? createHash('sha256').update(value).digest('hex') : value;

async function lookUp(deps: OtxDeps, { indicator, isWhole }: OtxKey, ask: Ask): Promise<Answer<Otx>> {
  const at = hostOf(indicator);
  if (at?.kind === 'ip' && isBogon(at)) throw notPublic();
  const path = `api/v1/indicators/${typeOf(indicator)}/${encodeURIComponent(indicator.value)}`;
  if (path.length > PATH_MAX) throw new ProviderFailure('refused', 'The URL is too long to be looked up.');
  const given = new AbortController();
  const extraAsk: Ask = {
    signal: AbortSignal.any([ask.signal, given.signal]),
    deadlineMs: Math.floor(ask.deadlineMs * EXTRAS_SHARE),
  };
  const extras = isWhole ? gatherExtras(deps, indicator, path, extraAsk) : Promise.resolve({});
  try {
    const answer = await fetchSection(deps, `${path}/general`, ask);
    return present(deps, answer, await extras, isWhole ? extrasOf(indicator) : []);
  } catch (error) {
    given.abort();
    throw error;
  }
}

/** OTX calls a registered name `domain` and a name below it `hostname`. */
function typeOf(indicator: Subject): string {
  switch (indicator.kind) {
    case 'ip':
      return indicator.version === 4 ? 'IPv4' : 'IPv6';
    case 'domain':
      return indicator.registrable === indicator.value ? 'domain' : 'hostname';
    case 'url':
      return 'url';
    case 'hash':
      return 'file';
  }
}

type Extra = 'passiveDns' | 'reputation' | 'malware' | 'urls' | 'analysis';
type Extras = { readonly [E in Extra]?: unknown };

const SECTIONS: Readonly<Record<Extra, string>> = {
  passiveDns: 'passive_dns',
  reputation: 'reputation',
  malware: 'malware?limit=1',
  urls: 'url_list?limit=1',
  analysis: 'analysis',
};
const EXTRAS: Readonly<Record<Subject['kind'], readonly Extra[]>> = {
  ip: ['passiveDns', 'reputation', 'malware', 'urls'],
  domain: ['passiveDns'],
  url: [],
  hash: ['analysis'],
};
const extrasOf = ({ kind }: Subject): readonly Extra[] => EXTRAS[kind];

/** Never rejects: a failed section is absent. */
async function gatherExtras(deps: OtxDeps, indicator: Subject, path: string, ask: Ask): Promise<Extras> {
  const told = await Promise.all(
    extrasOf(indicator).map(async (extra): Promise<readonly [Extra, unknown]> => {
      try {
        const { status, json } = await fetchSection(deps, `${path}/${SECTIONS[extra]}`, ask);
        // Null: OTX has no entry, which is an answer. Undefined: there was no answer.
        return [extra, status === 200 ? json : null];
      } catch {
        return [extra, undefined];
      }
    }),
  );
  return Object.fromEntries(told);
}

async function fetchSection(deps: OtxDeps, path: string, ask: Ask): Promise<JsonAnswer> {
  const answer = await fetchJson(
    deps.outbound,
    serviceUrl(deps.baseUrl, path),
    { bytesMax: BYTES_MAX, headers: { 'x-otx-api-key': deps.key ?? '' }, ...reachOf(deps.baseUrl) },
    ask,
  );
  const isAnswer = answer.status === 200 || (answer.status === 404 && answer.json !== undefined);
  if (!isAnswer) throw serviceFailure(CALLED, answer.status);
  return answer;
}

const NO_PULSES = { pulse_info: { count: 0, pulses: [] } };

/**
 * The block is left out only when the lookup fails (contract 2.1 rule 7): an indicator without pulses is
 * found with an empty list.
 */
function present(
  deps: OtxDeps,
  { status, json }: JsonAnswer,
  extras: Extras,
  wanted: readonly Extra[],
): Answer<Otx> {
  const { countryName, ...general } = readGeneral(CALLED, deps.baseUrl, status === 404 ? NO_PULSES : json);
  const fetched = { source: SOURCE, fetchedAt: new Date(deps.clock.now()).toISOString() };
  const passiveDns = readPassiveDns(extras.passiveDns, fetched);
  const labsReputation = readLabsReputation(
    { reputation: extras.reputation, malware: extras.malware, urls: extras.urls, countryName },
    fetched,
  );
  const fileAnalysis = readFileAnalysis(extras.analysis, fetched);
  const isPartial = wanted.some((extra) => extras[extra] === undefined);
  return {
    value: {
      ...fetched,
      ...general,
      ...(labsReputation === undefined ? {} : { labsReputation }),
      ...(passiveDns === undefined ? {} : { passiveDns }),
      ...(fileAnalysis === undefined ? {} : { fileAnalysis }),
    },
    freshMs: isPartial ? PARTIAL_MS : general.pulseCount === 0 ? UNKNOWN_MS : FRESH_MS,
  };
}
