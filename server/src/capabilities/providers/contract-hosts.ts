import { z } from 'zod';

const LIST_MAX = 50;
const NAME_MAX = 256;
const timestamp = z.string().max(40).describe('RFC 3339, UTC.');
const name = z.string().max(NAME_MAX);

/** The `whois` block of contract 2.3, from RDAP (RFC 9083) or, where a registry has none, from WHOIS on port 43. */
export const Whois = z
  .object({
    registrar: name.nullable().describe('Of a domain; null for an address.'),
    registrant: name.nullable().describe('As published by the registry; often redacted.'),
    createdDate: timestamp.nullable(),
    updatedDate: timestamp.nullable(),
    expiresDate: timestamp.nullable(),
    nameServers: z.array(name).max(LIST_MAX),
    status: z.array(name).max(LIST_MAX).describe('Registry status words. Beyond the contract.'),
    handle: name.nullable().describe("The registry's own id. Beyond the contract."),
    network: z
      .object({ name: name.nullable(), range: name.nullable(), country: name.nullable() })
      .optional()
      .describe('Addresses only: the registered block. Beyond the contract.'),
    source: z.enum(['rdap', 'whois']).describe('Beyond the contract.'),
  })
  .meta({ id: 'Whois' });
export type Whois = z.infer<typeof Whois>;

const certificateFields = {
  issuer: z.string().max(512),
  subject: z.string().max(512),
  validFrom: timestamp,
  validTo: timestamp,
  serialNumber: z.string().max(64),
  fingerprint: z.string().max(128).describe('SHA-256, hexadecimal in pairs.'),
};
export const Certificate = z.object(certificateFields);
export type Certificate = z.infer<typeof Certificate>;

export const TlsFacts = z.object({
  certificate: Certificate,
  names: z.array(name).max(LIST_MAX).describe('Names the certificate is for.'),
  isTrusted: z.boolean(),
  problem: z.string().max(200).nullable(),
  protocol: z.string().max(20).nullable(),
});
export type TlsFacts = z.infer<typeof TlsFacts>;

export const CtHistory = z.object({
  history: z
    .array(z.object({ ...certificateFields, fingerprint: z.string().max(128).nullable() }))
    .max(LIST_MAX),
  total: z.int().min(0),
  names: z.array(name).max(LIST_MAX),
});
export type CtHistory = z.infer<typeof CtHistory>;

/** The newest valid leaf, with its history (contract 2.3, G15). */
export const Certificates = z
  .object({
    ...certificateFields,
    fingerprint: z
      .string()
      .max(128)
      .nullable()
      .describe('SHA-256, hexadecimal in pairs; null when only a log has it.'),
    names: z.array(name).max(LIST_MAX).describe('Beyond the contract.'),
    isTrusted: z.boolean().nullable().describe('Null: not seen on the host itself. Beyond the contract.'),
    problem: z.string().max(200).nullable().describe('Why it is not trusted. Beyond the contract.'),
    history: CtHistory.shape.history.describe(
      'From certificate transparency, newest first. Beyond the contract.',
    ),
    total: z.int().min(0).describe('How many the logs hold. Beyond the contract.'),
  })
  .meta({ id: 'Certificates' });
export type Certificates = z.infer<typeof Certificates>;

/** The `vulnerabilities` block of contract 2.3, with the fields of G16. */
export const Vulnerabilities = z
  .object({
    total: z.int().min(0),
    critical: z.int().min(0),
    high: z.int().min(0),
    medium: z.int().min(0),
    low: z.int().min(0),
    cves: z
      .array(
        z.object({
          id: z.string().max(32),
          isKev: z
            .literal(true)
            .optional()
            .describe(
              'In the catalog of known exploited vulnerabilities; such CVEs come first. Beyond the contract.',
            ),
          severity: z.string().max(16).describe('CRITICAL, HIGH, MEDIUM, LOW, NONE or UNKNOWN.'),
          score: z.number().min(0).max(10).nullable().describe('CVSS.'),
          description: z.string().max(1_000),
        }),
      )
      .max(200),
    ports: z.array(z.int().min(0).max(65_535)).max(200).describe('Beyond the contract.'),
    cpes: z.array(name).max(100).describe('Beyond the contract.'),
    hostnames: z.array(name).max(100).describe('Beyond the contract.'),
    tags: z.array(name).max(LIST_MAX).describe('Beyond the contract.'),
  })
  .meta({ id: 'Vulnerabilities' });
export type Vulnerabilities = z.infer<typeof Vulnerabilities>;

export const Technology = z.object({
  name: z.string().max(100),
  version: z.string().max(50).nullable(),
  category: z.string().max(50),
  source: z.string().max(50).describe('The sign that revealed it: header:server, meta:generator, cpe …'),
});
export const Technologies = z.array(Technology).max(LIST_MAX);
export type Technologies = z.infer<typeof Technologies>;
