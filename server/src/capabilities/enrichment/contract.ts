import { z } from 'zod';

/** The kind of network of an address, by the lists of the corpus (decisions G14). */
export const NetworkFlags = z
  .object({
    isDatacenter: z.boolean().describe('A list of clouds or hosting companies names it.'),
    isTor: z.boolean().describe('A list of Tor exits names it.'),
    isProxy: z.boolean().describe('A list of proxies or relays names it.'),
    isVpn: z.boolean().describe('A list of VPN services names it.'),
  })
  .meta({ id: 'NetworkFlags' });
export type NetworkFlags = z.infer<typeof NetworkFlags>;

/** The field `geo` (contract 2.1), with the additions of G14. */
export const GeoReply = z
  .object({
    country: z.string().nullable(),
    countryCode: z.string().nullable().describe('ISO 3166-1, two letters.'),
    city: z.string().nullable().describe('Null when the loaded file knows countries only.'),
    region: z.string().nullable(),
    lat: z.number().nullable(),
    lon: z.number().nullable(),
    isp: z.string().nullable().describe('The announcing network, unless the loaded file gives an ISP.'),
    timezone: z.string().nullable().describe('Beyond the contract.'),
    org: z.string().nullable().describe('Beyond the contract.'),
    asn: z.int().nullable().describe('Number of the autonomous system. Beyond the contract.'),
    network: NetworkFlags.optional().describe('Addresses only. Beyond the contract.'),
  })
  .meta({ id: 'Geo' });
export type GeoReply = z.infer<typeof GeoReply>;

const LIST_MAX = 50;
const named = { id: z.string(), name: z.string() };

/** Techniques of MITRE ATT&CK, never the names of groups (decisions G6). */
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
