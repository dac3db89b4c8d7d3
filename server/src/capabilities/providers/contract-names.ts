import { z } from 'zod';

const LIST_MAX = 50;
const name = z.string().max(256);

export const Addresses = z.object({
  a: z.array(z.string().max(15)).max(LIST_MAX),
  aaaa: z.array(z.string().max(45)).max(LIST_MAX),
});
export type Addresses = z.infer<typeof Addresses>;

/** DNS facts (decisions 3.13 `dns`, G6), with the fields that the mail grade is computed from. */
export const DnsFacts = z
  .object({
    hasSPF: z.boolean(),
    hasDMARC: z.boolean(),
    hasDKIM: z
      .boolean()
      .nullable()
      .describe('Best effort over common selectors; null: none was found, which proves nothing.'),
    nameserverCount: z.int().min(0),
    isParked: z.boolean(),
    a: Addresses.shape.a,
    aaaa: Addresses.shape.aaaa,
    mx: z.array(z.object({ exchange: name, priority: z.int().min(0).max(65_535) })).max(LIST_MAX),
    ns: z.array(name).max(LIST_MAX),
    spf: z.string().max(1_024).nullable().describe('Beyond the contract.'),
    dmarc: z.string().max(1_024).nullable().describe('Beyond the contract.'),
    dmarcPolicy: z.enum(['none', 'quarantine', 'reject']).nullable().describe('Beyond the contract.'),
    mxValid: z
      .boolean()
      .describe('Can it take mail: an MX that is not the null MX of RFC 7505, or an address without any MX.'),
    grade: z.enum(['A', 'B', 'C', 'D', 'E', 'F']).describe('Of its mail security. Beyond the contract.'),
  })
  .meta({ id: 'DnsFacts' });
export type DnsFacts = z.infer<typeof DnsFacts>;

export const Tenant = z
  .object({
    provider: z.literal('microsoft'),
    tenantId: z.string().max(64).nullable(),
    domain: name,
    namespaceType: z.enum(['Managed', 'Federated', 'Unknown']),
    brandName: z.string().max(200).nullable(),
    region: z.string().max(32).nullable(),
    cloudInstance: name.nullable(),
    fetchedAt: z.string().max(40),
  })
  .meta({ id: 'Tenant' });
export type Tenant = z.infer<typeof Tenant>;
