import { z } from 'zod';
import { parseCveId } from '#domain/cve/index.ts';

export const LIST_DEFAULT = 20;
export const LIST_MAX = 100;
const TEXT_MAX = 200;
const DAYS_MAX = 3_650;
/** Bounds the days of a count that is made for each request. */
const TOP_DAYS_MAX = 365;

export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'NONE', 'UNKNOWN'] as const;
export const EXPLOITATIONS = ['none', 'poc', 'active'] as const;

const timestamp = z.iso.datetime();
const count = z.int().min(0);
const names = (max: number) => z.array(z.string().max(TEXT_MAX * 2)).max(max);

/** A limit or a number of days: above its maximum it is cut to it, below 1 or no number it is refused (decisions 1.6). */
const whole = (max: number) =>
  z.coerce
    .number({ error: 'Send a whole number.' })
    .int('Send a whole number.')
    .min(1, 'Send a number of at least 1.')
    .transform((value) => Math.min(value, max));

export const cut = (max: number, standard: number) => whole(max).default(standard);

export const severity = z
  .string()
  .max(20)
  .transform((text) => text.toUpperCase())
  .pipe(z.enum(SEVERITIES, { error: `Send one of ${SEVERITIES.join(', ')}.` }));
export const exploitation = z.enum(EXPLOITATIONS, { error: `Send one of ${EXPLOITATIONS.join(', ')}.` });
/** `kev`, `kev=1` and `kev=true` are the same; `false` and `0` do not restrict. */
export const flag = z
  .enum(['', '1', 'true', '0', 'false'], { error: 'Send true or false.' })
  .transform((text) => text === '' || text === '1' || text === 'true');
export const share = z.coerce.number({ error: 'Send a number from 0 to 1.' }).min(0).max(1);

export const cveId = z
  .string()
  .max(40)
  .transform((text, context) => {
    const id = parseCveId(text);
    if (id !== null) return id;
    context.addIssue({ code: 'custom', message: 'Send an id such as CVE-2021-44228.' });
    return z.NEVER;
  })
  .meta({ examples: ['CVE-2021-44228'] });

const Score = z.object({
  source: z.string().describe('Who assigned it, by its own name.'),
  version: z.enum(['3.1', '4.0', '3.0', '2.0']).nullable(),
  score: z.number().min(0).max(10),
  severity: z.enum(SEVERITIES),
  vector: z.string().nullable(),
});

const Change = z.object({
  at: timestamp,
  field: z.enum(['state', 'severity', 'cvssScore', 'isKev', 'ssvcExploitation', 'epssScore']),
  from: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  to: z.union([z.string(), z.number(), z.boolean(), z.null()]),
});

/** The merged record of a CVE, as in decisions 3.8. */
export const Cve = z
  .object({
    id: z.string(),
    state: z
      .enum(['PUBLISHED', 'REJECTED'])
      .describe('A rejected CVE is answered here and nowhere else. Beyond the contract.'),
    title: z.string(),
    description: z.string().nullable(),
    severity: z.enum(SEVERITIES).describe('Of the chosen score; `UNKNOWN` where no source has one.'),
    cvssScore: z.number().nullable(),
    cvssVector: z.string().nullable(),
    cvssVersion: z.string().nullable(),
    epssScore: z.number().nullable().describe('Probability of exploitation within 30 days, 0 to 1.'),
    epssPercentile: z.number().nullable(),
    epssPercent: z.number().nullable(),
    isKev: z.boolean(),
    kev: z
      .object({
        listed: z.boolean(),
        dateAdded: z.string(),
        dueDate: z.string().nullable(),
        requiredAction: z.string().nullable(),
        ransomwareUse: z.enum(['Known', 'Unknown']),
        shortDescription: z.string().nullable(),
      })
      .nullable(),
    ssvcExploitation: z.enum(EXPLOITATIONS).nullable(),
    exploitdbIds: names(1_000),
    hasNucleiTemplate: z.boolean(),
    metasploitModules: names(1_000).describe('Beyond the contract.'),
    techniques: z
      .array(z.object({ id: z.string(), name: z.string().nullable(), relation: z.string() }))
      .max(1_000)
      .describe('ATT&CK techniques that its exploitation was mapped to. Beyond the contract.'),
    ghsaIds: names(1_000),
    cwes: names(1_000),
    cpes: z.array(z.string()).max(5_000).describe('CPEs that a source calls vulnerable.'),
    vendors: z.array(z.string()),
    products: z.array(z.string()),
    references: z.array(z.object({ source: z.string(), url: z.string() })).max(1_000),
    published: timestamp.nullable(),
    lastModified: timestamp.nullable(),
    scores: z.array(Score).describe('All scores, the chosen one first. Beyond the contract.'),
    provenance: z
      .record(z.string(), z.string())
      .describe('The source of each field that has a value. Beyond the contract.'),
    changes: z.array(Change).max(50).describe('What changed, the newest last. Beyond the contract.'),
  })
  .meta({ id: 'Cve' });
export type Cve = z.infer<typeof Cve>;

export const CveItem = z
  .object({
    id: z.string(),
    title: z.string(),
    severity: z.enum(SEVERITIES),
    cvssScore: z.number().nullable(),
    epssScore: z.number().nullable(),
    isKev: z.boolean(),
    exploitation: z.enum(EXPLOITATIONS).nullable(),
    published: timestamp.nullable(),
    lastModified: timestamp.nullable(),
    vendors: z.array(z.string()),
    products: z.array(z.string()),
  })
  .meta({ id: 'CveItem' });
export type CveItem = z.infer<typeof CveItem>;

export const CveParams = z.object({ id: z.string().max(40) });

const limit = cut(LIST_MAX, LIST_DEFAULT).describe('At most 100; more is cut to it.');

export const RecentQuery = z.object({
  limit,
  severity: severity.optional().describe('Beyond the contract.'),
  days: whole(DAYS_MAX).optional().describe('Published within these days; beyond the contract.'),
});
export const RecentReply = z.array(CveItem).max(LIST_MAX);

/** A day such as 2026-05-08, or a moment in UTC. */
const day = z
  .string()
  .max(40)
  .refine((text) => /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(text) && !Number.isNaN(Date.parse(text)), {
    error: 'Send a day such as 2026-05-08.',
  });
const name = z.string().trim().min(1).max(TEXT_MAX);

export const CveQuery = z.object({
  id: cveId.optional(),
  recent: flag.optional().describe('`true`: what was published in the last seven days.'),
  q: z
    .string()
    .trim()
    .min(2)
    .max(TEXT_MAX)
    .optional()
    .describe('Words of id, title, description, vendor, product. An id alone means that CVE.'),
  vendor: name.optional(),
  product: name.optional(),
  severity: severity.optional(),
  kev: flag.optional(),
  exploit: exploitation.optional(),
  minEpss: share.optional(),
  cwe: z
    .string()
    .max(20)
    .regex(/^(?:[Cc][Ww][Ee]-)?\d{1,6}$/, 'Send an id such as CWE-79.')
    .optional(),
  from: day.optional().describe('Published on this day or later.'),
  to: day.optional().describe('Published on this day or earlier.'),
  cursor: z.string().max(200).optional(),
  limit,
});
export type CveQuery = z.infer<typeof CveQuery>;

/** The fields with which an answer says whether its data is loaded (decisions O77). */
export const loadedFields = {
  loaded: z
    .boolean()
    .describe(
      'False: the data is not loaded on this service. Figures are null, lists are empty and `message` has the command that loads it. Beyond the contract.',
    ),
  message: z.string().max(300).optional().describe('Only with `loaded: false`. Beyond the contract.'),
};
const RecentCves = z.object({
  count: count.nullable(),
  days: z.literal(7),
  cves: z.array(CveItem).max(LIST_MAX),
  ...loadedFields,
});
const FoundCves = z.object({
  ...loadedFields,
  cves: z.array(CveItem).max(LIST_MAX),
  nextCursor: z.string().nullable().describe('Send it as `cursor` for the next page; null on the last one.'),
});
export const CveReply = z.union([Cve, RecentCves, FoundCves]).meta({ id: 'CveAnswer' });
export type CveReply = z.infer<typeof CveReply>;

export const NamesQuery = z.object({ q: name.optional(), limit });
export const ProductsQuery = z.object({ q: name.optional(), vendor: name.optional(), limit });
export const Names = z
  .object({
    items: z.array(z.object({ name: z.string(), count })).max(LIST_MAX),
    total: count.nullable().describe('How many names there are that fit.'),
    ...loadedFields,
  })
  .meta({ id: 'CveNames' });
export type Names = z.infer<typeof Names>;

export const TopProductsQuery = z.object({ limit, days: cut(TOP_DAYS_MAX, 30) });
export const TopProducts = z
  .array(
    z.object({
      vendor: z.string(),
      product: z.string(),
      count,
      critical: count,
      high: count,
      unscored: count.describe('Without a severity in any source. Beyond the contract.'),
      kev: count,
    }),
  )
  .max(LIST_MAX);
export type TopProducts = z.infer<typeof TopProducts>;
