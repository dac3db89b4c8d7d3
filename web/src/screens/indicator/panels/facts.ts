import type { Certificates, Geo, Infrastructure, Whois } from '@assay/sdk';
import { exact, plural } from '../../../words/numbers.ts';
import { DAY_MS } from '../../../words/time.ts';
import type { CheckSeen, PhaseOf } from './check-seen.ts';

/** One line of a panel. `said` marks third-party text, which is shown inert. */
export type Fact = { readonly term: string; readonly value: FactValue };
export type FactValue =
  | { readonly kind: 'own'; readonly text: string }
  | { readonly kind: 'said'; readonly text: string; readonly isMono?: boolean }
  | { readonly kind: 'list'; readonly items: readonly string[]; readonly isMono?: boolean }
  | { readonly kind: 'date'; readonly at: string; readonly note?: string };

const own = (term: string, text: string | null | undefined): readonly Fact[] =>
  text ? [{ term, value: { kind: 'own', text } }] : [];
const said = (term: string, text: string | null | undefined, isMono = false): readonly Fact[] =>
  text ? [{ term, value: { kind: 'said', text, isMono } }] : [];
const list = (term: string, items: readonly string[], isMono = false): readonly Fact[] =>
  items.length > 0 ? [{ term, value: { kind: 'list', items, isMono } }] : [];
const date = (term: string, at: string | null | undefined, note?: string): readonly Fact[] =>
  at ? [{ term, value: { kind: 'date', at, ...(note !== undefined && { note }) } }] : [];

/** "Germany (DE)". No flags: they are hard to tell apart and stand for more than a place. */
export const countryOf = ({ country, countryCode }: Pick<Geo, 'country' | 'countryCode'>): string | null =>
  country !== null && countryCode !== null ? `${country} (${countryCode})` : (country ?? countryCode);

type NetworkParts = {
  readonly geo: Geo;
  readonly whois: Whois | null;
  readonly asnReputation?: PhaseOf<'insights'>['asnReputation'] | undefined;
  readonly infrastructure?: Infrastructure | undefined;
  readonly hostnames: readonly string[];
};

export function networkFacts(of: NetworkParts): readonly Fact[] {
  const { geo, whois, asnReputation, hostnames } = of;
  const range = whois?.network;
  return [
    ...said('Network', geo.asn === null ? null : `AS${geo.asn}`, true),
    ...said('Holder', geo.org ?? geo.isp),
    ...said('Range', range?.range, true),
    ...said('Range name', range?.name),
    ...list('Host names', hostnames, true),
    ...own('Kind', kindsOf(of)),
    ...own('Listed', asnReputation && networkSentence(asnReputation)),
  ];
}

const KINDS = [
  ['isTor', 'Tor'],
  ['isVpn', 'VPN'],
  ['isProxy', 'proxy or relay'],
  ['isDatacenter', 'cloud or hosting'],
] as const;

/** How lists classify the use of the network. A network without a classification is no better for it. */
function kindsOf({ geo: { network } }: NetworkParts): string | null {
  if (network === undefined) return null;
  const kinds = KINDS.filter(([flag]) => network[flag]).map(([, word]) => word);
  return kinds.length === 0 ? 'No list says what it is used for' : kinds.join(', ');
}

const networkSentence = ({ listed, list: by, score }: NonNullable<NetworkParts['asnReputation']>): string =>
  listed
    ? `Named by ${by ?? 'a list'} as a network that serves crime: ${plural(score, 'point')} of the score`
    : 'On no list of networks that serve crime';

export const locationFacts = (geo: Geo): readonly Fact[] => [
  ...said('Country', countryOf(geo)),
  ...said('City', [...new Set([geo.city, geo.region])].filter((name) => name !== null).join(', ')),
  ...said('Time zone', geo.timezone),
];

export function ageInDays(at: string | null, nowMs: number): number | null {
  const atMs = at === null ? Number.NaN : Date.parse(at);
  return Number.isNaN(atMs) ? null : Math.max(0, Math.floor((nowMs - atMs) / DAY_MS));
}

const ageWords = (at: string | null, nowMs: number): string | undefined => {
  const days = ageInDays(at, nowMs);
  return days === null ? undefined : `${plural(days, 'day')} old`;
};

export const registrationFacts = (whois: Whois, nowMs: number): readonly Fact[] => [
  ...date('Created', whois.createdDate, ageWords(whois.createdDate, nowMs)),
  ...said('Registrar', whois.registrar),
  ...said('Holder', whois.registrant),
  ...said('Network', whois.network?.name),
  ...said('Range', whois.network?.range, true),
  ...said('Country', whois.network?.country),
  ...date('Updated', whois.updatedDate),
  ...date('Expires', whois.expiresDate),
  ...list('Name servers', whois.nameServers, true),
  ...list('Status', whois.status),
  ...said('Handle', whois.handle, true),
];

export const dnsFacts = (dns: PhaseOf<'dns'>): readonly Fact[] => [
  ...list('A', dns.a, true),
  ...list('AAAA', dns.aaaa, true),
  ...list('NS', dns.ns, true),
  ...own('Parked', dns.isParked === true ? 'It looks like a parked name' : null),
];

/** A missing DKIM record proves nothing: its selector is known only to the sender. */
export const mailFacts = (dns: PhaseOf<'dns'>): readonly Fact[] => [
  ...own('SPF', publishedWord(dns.hasSPF)),
  ...own('DMARC', publishedWord(dns.hasDMARC)),
  ...own(
    'DKIM',
    dns.hasDKIM === null ? 'Not found at the usual names, which proves nothing' : publishedWord(dns.hasDKIM),
  ),
  ...(dns.mx.length === 0
    ? own('MX', 'None')
    : list(
        'MX',
        dns.mx.map(({ priority, exchange }) => `${priority} ${exchange}`),
        true,
      )),
];

const publishedWord = (has: boolean | null): string | null =>
  has === null ? null : has ? 'Published' : 'Not published';

export function certificateFacts(certificate: Certificates, nowMs: number): readonly Fact[] {
  const leftMs = Date.parse(certificate.validTo) - nowMs;
  const days = plural(Math.floor(Math.abs(leftMs) / DAY_MS), 'day');
  const validity = Number.isNaN(leftMs) ? undefined : leftMs < 0 ? `expired ${days} ago` : `${days} left`;
  return [
    ...said('For', certificate.subject),
    ...said('Issuer', certificate.issuer),
    ...date('Issued', certificate.validFrom, ageWords(certificate.validFrom, nowMs)),
    ...date('Until', certificate.validTo, validity),
    ...(certificate.problem === null
      ? own('Trust', trustWord(certificate.isTrusted))
      : said('Not trusted', certificate.problem)),
    ...list('Names', certificate.names, true),
    ...own('In the logs', certificate.total > 0 ? plural(certificate.total, 'certificate') : null),
  ];
}

const trustWord = (isTrusted: boolean | null): string =>
  isTrusted === null
    ? 'Not seen on the host itself'
    : isTrusted
      ? 'The host shows it and its chain holds'
      : 'Its chain does not hold';

export function fileFacts({ reputation, enrichment }: CheckSeen): readonly Fact[] {
  if (reputation === undefined) return [];
  const analysis = enrichment?.otx?.fileAnalysis;
  const tags = [...new Set(reputation.sources.flatMap(({ tags: each }) => each))];
  const categories = [...new Set(reputation.sources.flatMap(({ categories: each }) => each))];
  return [
    ...own('Seen', reputation.lookupStatus === undefined ? null : seenWord(reputation.lookupStatus)),
    ...list('Called', tags),
    ...list('Listed for', categories),
    ...said('Type', analysis?.fileType),
    ...said('Class', analysis?.fileClass),
    ...own('Size', analysis?.size == null ? null : `${exact(analysis.size)} bytes`),
    ...list('YARA', analysis?.yara ?? [], true),
  ];
}

const seenWord = (status: string): string =>
  status === 'known' ? 'Yes, at least one source knows it' : status === 'unknown' ? 'No' : status;

export const passwordSentence = ({
  hashType,
  count,
}: {
  readonly hashType: string;
  readonly count: number;
}): string =>
  `This value is also the ${hashType === 'ntlm' ? 'NTLM' : 'SHA-1'} hash of a breached password seen ${plural(count, 'time')}. It does not change the verdict.`;
