import { z } from 'zod';
import { type Ip, isBogon } from '#domain/indicator/index.ts';
import { inertText } from '#domain/text/inert-text.ts';
import type { Outbound } from '#platform/outbound.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { Vulnerabilities } from '../contract-hosts.ts';
import { fetchJson, reachOf, serviceUrl } from '../fetch-json.ts';
import type { Answer, Ask, Provider } from '../provider.ts';
import { notPublic, serviceFailure, unreadable } from '../service-failure.ts';
import { byNewest } from './join-cves.ts';

export type InternetDbDeps = {
  readonly outbound: Outbound;
  readonly baseUrl: string;
};

const CALLED = 'The service of open ports';
const DEADLINE_MS = 4_000;
const AT_ONCE_MAX = 16;
/** The largest real answers, of a host with hundreds of CVEs, are some 20 kB. */
const BYTES_MAX = 256 * 1024;
/** The service scans about once a week. */
const FRESH_MS = DAY_MS;
const ABSENT_MS = 6 * HOUR_MS;
const KEEP_MS = 14 * DAY_MS;

const CVES_MAX = 200;
const CVE = /^CVE-\d{4}-\d{4,19}$/;

const Told = z.object({
  ip: z.string().max(64),
  ports: z.array(z.unknown()),
  cpes: z.array(z.unknown()),
  hostnames: z.array(z.unknown()),
  tags: z.array(z.unknown()),
  vulns: z.array(z.unknown()),
});

/**
 * Open ports and known vulnerabilities of an address, from the last scan of a service with the API of InternetDB (G16).
 */
export function createInternetDbProvider(deps: InternetDbDeps): Provider<Ip, Vulnerabilities> {
  const { host } = serviceUrl(deps.baseUrl, '');
  return {
    name: 'internetdb',
    keyOf: (ip) => ip.value,
    upstreamOf: () => host,
    schema: Vulnerabilities,
    deadlineMs: DEADLINE_MS,
    atOnceMax: AT_ONCE_MAX,
    freshMs: FRESH_MS,
    absentMs: ABSENT_MS,
    keepMs: KEEP_MS,
    ask: (ip, ask) => lookUp(deps, ip, ask),
  };
}

async function lookUp(
  { outbound, baseUrl }: InternetDbDeps,
  ip: Ip,
  ask: Ask,
): Promise<Answer<Vulnerabilities>> {
  if (isBogon(ip)) throw notPublic();
  const url = serviceUrl(baseUrl, encodeURIComponent(ip.value));
  const { status, json } = await fetchJson(outbound, url, { bytesMax: BYTES_MAX, ...reachOf(baseUrl) }, ask);
  // The service answers an unknown address with 404 and JSON; any other 404 page comes from another service.
  if (status === 404 && json !== undefined) return { value: null };
  if (status !== 200) throw serviceFailure(CALLED, status);
  const told = Told.safeParse(json);
  // An answer about another address is an error or an attack, so it is refused.
  if (!told.success || (ip.version === 4 && told.data.ip !== ip.value)) throw unreadable(CALLED);
  const ids = cveIds(told.data.vulns);
  return {
    value: {
      ...unweighed(ids),
      ports: portsOf(told.data.ports),
      cpes: textsOf(told.data.cpes, 100),
      hostnames: textsOf(told.data.hostnames, 100),
      tags: textsOf(told.data.tags, 50),
    },
  };
}

const cveIds = (vulns: readonly unknown[]): readonly string[] => [
  ...new Set(
    vulns.flatMap((vuln) => {
      const id = typeof vuln === 'string' ? vuln.toUpperCase() : '';
      return CVE.test(id) ? [id] : [];
    }),
  ),
];

/** Severities are joined when the answer is read (join-cves.ts). */
const unweighed = (ids: readonly string[]) => ({
  total: ids.length,
  critical: 0,
  high: 0,
  medium: 0,
  low: 0,
  cves: ids
    .toSorted(byNewest)
    .slice(0, CVES_MAX)
    .map((id) => ({ id, severity: 'UNKNOWN', score: null, description: '' })),
});

const portsOf = (ports: readonly unknown[]): number[] =>
  [...new Set(ports)]
    .filter((port): port is number => Number.isInteger(port) && Number(port) >= 0 && Number(port) <= 65_535)
    .sort((a, b) => a - b)
    .slice(0, 200);

const textsOf = (values: readonly unknown[], max: number): string[] => [
  ...new Set(values.slice(0, max).flatMap((value) => inertText(value, 256) ?? [])),
];
