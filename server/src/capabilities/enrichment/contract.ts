import { z } from 'zod';

/** Decisions G14: what kind of network an address is in, by the lists of the corpus. */
export const NetworkFlags = z
  .object({
    isDatacenter: z.boolean().describe('A list of clouds or hosting companies names it.'),
    isTor: z.boolean().describe('A list of Tor exits names it.'),
    isProxy: z.boolean().describe('A list of proxies or relays names it.'),
    isVpn: z.boolean().describe('A list of VPN services names it.'),
  })
  .meta({ id: 'NetworkFlags' });
export type NetworkFlags = z.infer<typeof NetworkFlags>;

/** Contract 2.1 `geo`, with the additions of G14. */
export const GeoReply = z
  .object({
    country: z.string().nullable(),
    countryCode: z.string().nullable().describe('ISO 3166-1, two letters.'),
    city: z.string().nullable().describe('Null when the loaded file knows countries only.'),
    region: z.string().nullable(),
    lat: z.number().nullable(),
    lon: z.number().nullable(),
    isp: z.string().nullable().describe('Whoever announces the address, unless the loaded file says better.'),
    timezone: z.string().nullable().describe('Beyond the contract.'),
    org: z.string().nullable().describe('Beyond the contract.'),
    asn: z.int().nullable().describe('Number of the autonomous system. Beyond the contract.'),
    network: NetworkFlags.optional().describe('Addresses only. Beyond the contract.'),
  })
  .meta({ id: 'Geo' });
export type GeoReply = z.infer<typeof GeoReply>;

const LIST_MAX = 50;
const named = { id: z.string(), name: z.string() };

/** Decisions G6: techniques of MITRE ATT&CK. Never the names of groups. */
export const MitreReply = z
  .object({
    tactics: z.array(z.object(named)).max(LIST_MAX),
    techniques: z
      .array(z.object({ ...named, url: z.string().nullable(), tactics: z.array(z.string()) }))
      .max(LIST_MAX),
    mitigations: z.array(z.object(named)).max(LIST_MAX),
  })
  .meta({ id: 'Mitre' });
export type MitreReply = z.infer<typeof MitreReply>;
