import { z } from 'zod';
import { Infrastructure, targetQuery, targetText } from '#capabilities/check/index.ts';
import { AsnMembers, Cursor } from '#capabilities/context-pages/index.ts';
import { GeoReply, NetworkFlags } from '#capabilities/enrichment/index.ts';
import {
  type Domain,
  hostOf,
  type Ip,
  type Ipv4,
  parseAsn,
  parseIndicator,
} from '#domain/indicator/index.ts';
import { inertText } from '#domain/text/inert-text.ts';

export const LocationQuery = targetQuery(
  targetText('IP address, domain, or URL, whose host is taken.', '185.220.101.1'),
  (indicator): LocationQuery | string => {
    const host = indicator.kind === 'email' ? null : hostOf(indicator);
    return host === null
      ? `'${indicator.value}' has no place of its own. Ask about an IP address, a domain or a URL.`
      : { host };
  },
);
export type LocationQuery = { readonly host: Ip | Domain };

export const LocationReply = z
  .object({
    geo: GeoReply.nullable().describe(
      'Null when the loaded files do not know the address, and for a name that leads nowhere or cannot be resolved.',
    ),
    message: z
      .string()
      .max(300)
      .optional()
      .describe(
        'Why there is no location or no city: the name could not be resolved, no location file is loaded, or it has no city. Beyond the contract.',
      ),
  })
  .meta({ id: 'Location' });
export type LocationReply = z.infer<typeof LocationReply>;

/** `AS15169`, `as15169` and `15169` are the same query (trap 78). If both fields are given, the address wins. */
export const AsnQuery = z
  .object({
    ip: targetText('The network that announces this address.', '8.8.8.8').optional(),
    asn: targetText('Number of the network, with or without AS before it.', 'AS15169').optional(),
    members: z
      .enum(['true', 'false'], { error: 'Send true or false.' })
      .default('false')
      .describe('`true` adds `members`. An extension.'),
    cursor: Cursor,
  })
  .transform(({ ip, asn, members, cursor }, context): AsnQuery => {
    const page = { hasMembers: members === 'true', cursor };
    const refuse = (path: string, message: string) => {
      context.addIssue({ code: 'custom', path: [path], message });
      return z.NEVER;
    };
    if (ip !== undefined) {
      const parsed = parseAddress(ip);
      return parsed === null ? refuse('ip', notAnAddress(ip)) : { ...page, ip: parsed };
    }
    if (asn === undefined)
      return refuse('asn', 'Give an IP address as ip, or the number of a network as asn.');
    const parsed = parseAsn(asn);
    if (parsed.ok) return { ...page, asn: parsed.indicator.number };
    return refuse('asn', `'${shown(asn)}' is not the number of a network, such as AS15169 or 15169.`);
  });
export type AsnQuery = ({ readonly ip: Ip } | { readonly asn: number }) & {
  readonly hasMembers: boolean;
  readonly cursor: string | undefined;
};

const SHOWN_MAX = 60;
/** Quotes input in an error message: one line, shortened, without control characters that a terminal acts on. */
const shown = (text: string): string =>
  `${inertText(text, SHOWN_MAX) ?? ''}${text.length > SHOWN_MAX ? '…' : ''}`;

const notAnAddress = (text: string): string =>
  `'${shown(text)}' is not an IP address. Send one such as 185.220.101.1.`;

function parseAddress(text: string): Ip | null {
  const parsed = parseIndicator(text);
  return parsed.ok && parsed.indicator.kind === 'ip' ? parsed.indicator : null;
}

/** The fields with which an answer says whether its data is loaded (decisions O77). */
const loadedFields = {
  loaded: z
    .boolean()
    .describe(
      'False: the data is not on this service. Figures are null, lists are empty, and `message` has the command or setting that changes it. Beyond the contract.',
    ),
  message: z
    .string()
    .max(300)
    .optional()
    .describe('Why figures are null, and what an operator can do. Beyond the contract.'),
};

export const NETWORK_TYPES = ['isp', 'hosting', 'business', 'education', 'government', 'unknown'] as const;

export const AsnReply = z
  .object({
    ip: z.string().nullable().describe('The address that was asked about; null when a number was.'),
    asn: z
      .int()
      .min(1)
      .nullable()
      .describe('Null while no table of networks is loaded and an address was asked about.'),
    asName: z.string().nullable().describe('Null for a network that is listed and announces nothing.'),
    org: z.string().nullable().describe('The holder in the table of networks.'),
    country: z.string().nullable().describe('Null: the loaded table has no countries of networks.'),
    registry: z.string().nullable().describe('Null: the loaded table has no registries.'),
    type: z
      .enum(NETWORK_TYPES)
      .describe(
        '`hosting` when a list of hosting networks names it, else `unknown`; never guessed from a name.',
      ),
    prefix: z
      .string()
      .nullable()
      .describe(
        'The widest prefix around the address that the network announces, such as 185.220.100.0/22; null for a number.',
      ),
    allocatedAt: z.string().nullable().describe('Null: the loaded table has no dates of allocation.'),
    listed: z
      .boolean()
      .nullable()
      .describe(
        'Whether a list of criminal networks contains the network itself. Null: the network is unknown.',
      ),
    list: z.string().nullable().describe('Id of that source.'),
    listedIps: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Distinct single addresses inside its ranges that an enabled threat source lists now. Listed ranges, and advertising and tracker lists, do not count. Counted at most once in five minutes.',
      ),
    updatedAt: z.string().nullable().describe('Date of the table of networks; null while none is loaded.'),
    ...loadedFields,
    members: AsnMembers.optional().describe(
      'With `members=true`: its ranges, and the listed addresses inside everything it announces. An extension.',
    ),
  })
  .meta({ id: 'AutonomousSystem' });
export type AsnReply = z.infer<typeof AsnReply>;

export const ReverseIpQuery = z
  .object({ ip: targetText('IPv4 address.', '185.220.101.1') })
  .transform(({ ip }, context): ReverseIpQuery => {
    const parsed = parseAddress(ip);
    if (parsed?.version === 4) return { ip: parsed };
    const message = parsed === null ? notAnAddress(ip) : 'Only IPv4 addresses can be asked about here.';
    context.addIssue({ code: 'custom', path: ['ip'], message });
    return z.NEVER;
  });
export type ReverseIpQuery = { readonly ip: Ipv4 };

export const REVERSE_DOMAINS_MAX = 1_000;

export const ReverseIpReply = z
  .object({
    ip: z.string(),
    domains: z
      .array(z.string().max(256))
      .max(REVERSE_DOMAINS_MAX)
      .describe('Names that were seen to lead to the address, the one seen last first.'),
    total_domains: z
      .int()
      .min(0)
      .nullable()
      .describe('How many there are in all; 100000 stands for that many or more.'),
    truncated: z.boolean().describe('True: there are more than these.'),
    updatedAt: z.string().nullable().describe('When one of them was last seen; null when there is none.'),
    ...loadedFields,
  })
  .meta({ id: 'ReverseIp' });
export type ReverseIpReply = z.infer<typeof ReverseIpReply>;

export const NetworkQuery = z
  .object({ ip: targetText('IP address.', '185.220.101.1') })
  .transform(({ ip }, context): NetworkQuery => {
    const parsed = parseAddress(ip);
    if (parsed !== null) return { ip: parsed };
    context.addIssue({ code: 'custom', path: ['ip'], message: notAnAddress(ip) });
    return z.NEVER;
  });
export type NetworkQuery = { readonly ip: Ip };

export const NetworkReply = z
  .object({
    ip: z.string(),
    asn: z
      .object({
        asn: z.int().min(1),
        name: z.string(),
        org: z.string(),
        country: z.string().nullable(),
        type: z.enum(NETWORK_TYPES),
      })
      .nullable(),
    prefix: z.string().nullable().describe('As in /threat-intel/asn.'),
    geo: GeoReply.nullable(),
    network: NetworkFlags,
    neighbourhood: z.object({
      prefix: z.string().describe('The /24 around an IPv4 address, the /48 around an IPv6 one.'),
      total: z
        .int()
        .min(1)
        .describe('Addresses of a /24; /64s of a /48, because a /64 is what one customer gets.'),
      listed: z
        .int()
        .min(0)
        .nullable()
        .describe(
          'How many of them hold something that a threat source lists now. Null: no threat list for addresses is loaded.',
        ),
      ratio: z.number().min(0).max(1).nullable(),
    }),
    message: z
      .string()
      .max(500)
      .optional()
      .describe(
        'Which data is not loaded on this service, and the command that loads it. Beyond the contract.',
      ),
    infrastructure: Infrastructure.optional().describe('As in /check: absent when no list says what it is.'),
  })
  .meta({ id: 'NetworkIntel' });
export type NetworkReply = z.infer<typeof NetworkReply>;
