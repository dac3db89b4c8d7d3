import { formatIpv6, readIpv6 } from '../indicator/index.ts';
import { HOSTED_SERVICES } from './hosts.ts';
import { NAME_AND_TIME_SERVERS } from './infrastructure.ts';
import type { NamedService, ServiceData } from './named-service.ts';
import { RESOLVERS } from './resolvers.ts';

export const SERVICES: readonly ServiceData[] = [...RESOLVERS, ...NAME_AND_TIME_SERVERS, ...HOSTED_SERVICES];

const BY_VALUE = new Map<string, NamedService>();
/** Names that stand for every name below them too. */
const BY_SUFFIX = new Map<string, NamedService>();

for (const { source: _, values, vouches = true, ...data } of SERVICES) {
  const service = Object.freeze({ ...data, vouches });
  for (const value of values.trim().split(/\s+/)) {
    const name = value.startsWith('.') ? value.slice(1) : canonical(value);
    BY_VALUE.set(name, service);
    if (value.startsWith('.')) BY_SUFFIX.set(name, service);
  }
}

/** The longest first: the closest name above decides. */
const SUFFIX_LENGTHS = [...new Set([...BY_SUFFIX.keys()].map(({ length }) => length))].sort((a, b) => b - a);
const DOT = 46;

/** Addresses are looked up in the spelling of RFC 5952. */
function canonical(value: string): string {
  const bytes = value.includes(':') ? readIpv6(value) : null;
  return bytes === null ? value : formatIpv6(bytes);
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** The service that an address or a name belongs to by the table of this folder; null for all others. */
export function findService(value: string): NamedService | null {
  const found = BY_VALUE.get(value);
  // A value that ends in a digit, such as an IPv4 address, is below no suffix: no suffix of the table ends in one.
  if (found !== undefined || isDigit(value.charCodeAt(value.length - 1))) return found ?? null;
  for (const length of SUFFIX_LENGTHS) {
    const at = value.length - length;
    if (at < 1 || value.charCodeAt(at - 1) !== DOT) continue;
    const above = BY_SUFFIX.get(value.slice(at));
    if (above !== undefined) return above;
  }
  return null;
}

const crawler = (name: string, operator: string): NamedService => ({
  name,
  operator,
  kind: 'crawler',
  vouches: true,
});
const mail = (name: string, operator: string): NamedService => ({
  name,
  operator,
  kind: 'mail',
  vouches: true,
});

/**
 * Lists of the catalogue in which an operator publishes one service without tenants, by source id. Lists of whole
 * networks are left out: Microsoft 365, Wikimedia and Telegram carry what their customers, editors and bots do.
 */
const BY_SOURCE: ReadonlyMap<string, NamedService> = new Map([
  ['googlebot', crawler('Googlebot', 'Google')],
  ['misp-googlebot', crawler('Googlebot', 'Google')],
  ['bingbot', crawler('Bingbot', 'Microsoft')],
  ['gptbot', crawler('GPTBot', 'OpenAI')],
  ['misp-openai-gptbot', crawler('GPTBot', 'OpenAI')],
  ['duckduckbot', crawler('DuckDuckBot', 'DuckDuckGo')],
  ['duckassistbot', crawler('DuckAssistBot', 'DuckDuckGo')],
  ['perplexity', crawler('PerplexityBot', 'Perplexity')],
  ['misp-google-gmail-sending-ips', mail('Gmail', 'Google')],
  ['misp-smtp-receiving-ips', mail('Mail provider, receiving', 'several')],
]);

export const SERVICE_SOURCES: readonly string[] = [...BY_SOURCE.keys()];

/** The service whose addresses a list of the catalogue holds. */
export const serviceOfSource = (sourceId: string): NamedService | null => BY_SOURCE.get(sourceId) ?? null;

/** The single addresses of the table. */
export const SERVICE_ADDRESSES: readonly string[] = [...BY_VALUE.keys()].filter(
  (value) => value.includes(':') || isDigit(value.charCodeAt(value.length - 1)),
);
