import { z } from 'zod';
import { RISK_LEVELS, SECTORS, TRENDS } from '#domain/ransomware/index.ts';

const TEXT_MAX = 2_048;
const SECTOR_TEXT_MAX = 100;
const GROUP_TEXT_MAX = 100;
const GROUPS_ASKED_MAX = 50;
const count = z.int().min(0);
const timestamp = z.iso.datetime();

export const DISCLAIMER =
  'These are claims of ransomware groups on their own sites, as trackers report them. Groups exaggerate and lie: a claim does not show that an attack took place.';
const figure = count.nullable();

/** How an operator loads claims, for answers without them. */
export const LOAD_CLAIMS =
  'No ransomware claims are loaded on this service, so nothing was counted. The worker loads them when FEEDS_ENABLED is true; from files: npm run admin -- ransomware import-manifest FOLDER';
/** The fields with which an answer says whether its data is loaded (decisions O77). */
export const loadedFields = {
  loaded: z
    .boolean()
    .describe(
      'False: the data is not loaded on this service. Figures are null, lists are empty and `message` has the command that loads it. Beyond the contract.',
    ),
  message: z.string().max(300).optional().describe('Only with `loaded: false`. Beyond the contract.'),
};
const disclaimer = z.string().describe('What a claim is, and what it is not.');

/** A limit above the maximum is read as the maximum; one below 1 or not a number is refused (decisions 1.6). */
const limitOf = (usual: number, max: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .default(usual)
    .transform((limit) => Math.min(limit, max))
    .describe(`At most ${max}; more is read as ${max}.`);

/** `?press`, `press=1` and `press=true` are alike (trap 75). */
const press = z
  .enum(['', '1', 'true', '0', 'false'])
  .optional()
  .transform((text) => text !== undefined && text !== '0' && text !== 'false')
  .describe('`press`, `press=1` or `press=true`: with articles about the victims.');

const sectorText = z
  .string()
  .max(SECTOR_TEXT_MAX)
  .transform((text) => text.trim().toLowerCase())
  .describe(`One of: ${SECTORS.join(', ')}. Case does not matter.`)
  .meta({ examples: ['healthcare'] });

export const FeedQuery = z.object({ limit: limitOf(30, 100), press });
export const SectorRiskQuery = z.object({ sector: sectorText.optional(), press });
export const SectorHistoryQuery = z.object({ days: limitOf(30, 120), sector: sectorText.optional() });
export const SectorVictimsQuery = z.object({
  sector: sectorText.refine((text) => text !== '', 'Name a sector, such as healthcare.'),
});
export const PressQuery = z.object({
  limit: limitOf(50, 100),
  groups: z
    .string()
    .max(TEXT_MAX)
    .optional()
    .transform((text) => {
      const names = (text ?? '').split(',').map((name) => name.trim());
      const asked = names.filter((name) => name !== '').slice(0, GROUPS_ASKED_MAX);
      return asked.length === 0 ? null : asked;
    })
    .describe('Names of groups, separated by commas: only articles about victims that one of them claimed.')
    .meta({ examples: ['lockbit3,akira'] }),
});
export const GroupProfileQuery = z.object({
  group: z
    .string({ error: 'Name a group, such as akira.' })
    .max(GROUP_TEXT_MAX)
    .refine((text) => text.trim() !== '', 'Name a group, such as akira.')
    .describe('Name of a group, or another name that a source gives it.')
    .meta({ examples: ['akira'] }),
});
export const GroupsQuery = z.object({
  limit: limitOf(100, 500),
  sort: z
    .enum(['victims', 'activity'])
    .default('victims')
    .describe('`activity`: by claims in 30 days; without any claim loaded as `victims`.'),
});

const PressItem = z.object({
  title: z.string(),
  url: z.string(),
  source: z.string().describe('Host of the article.'),
  publishedAt: timestamp,
});

export const Victim = z
  .object({
    id: z.string(),
    victim: z.string().describe('As the claim names it, in a form that nothing interprets.'),
    group: z.string(),
    domain: z.string().nullable(),
    country: z.string().nullable().describe('ISO 3166-1 alpha-2.'),
    sector: z.string().nullable().describe('As a tracker says it; never read off the name.'),
    discoveredAt: timestamp.describe('Of the earliest post.'),
    attackDate: z.iso.date().nullable().describe('Where a tracker gives one.'),
    claimUrl: z.string().nullable().describe('Defanged.'),
    description: z
      .string()
      .nullable()
      .describe(
        "The group's or the tracker's words. Text that a tracker marks as written by a model is left out.",
      ),
    press: z.array(PressItem).max(20).optional().describe('Only with the press flag.'),
    status: z
      .enum(['claimed', 'reported', 'confirmed'])
      .describe(
        '`reported`: an article near that date names the victim. `confirmed`: an operator of this service entered a reference. Beyond the contract.',
      ),
    reference: z.string().nullable().describe('What the operator entered. Beyond the contract.'),
    trackers: z
      .array(z.object({ id: z.string(), firstSeenAt: timestamp }))
      .max(50)
      .describe('Who reported it. Beyond the contract.'),
    alsoClaimedBy: z
      .array(z.object({ claimId: z.string(), group: z.string(), discoveredAt: timestamp }))
      .max(20)
      .describe('Claims of other groups on the same victim, at most a year apart. Beyond the contract.'),
  })
  .meta({ id: 'RansomwareVictim' });
export type Victim = z.infer<typeof Victim>;

export const Feed = z
  .object({
    victims: z.array(Victim).max(100),
    total: figure.describe('Of all claims.'),
    ...loadedFields,
    generatedAt: timestamp,
    disclaimer,
  })
  .meta({ id: 'RansomwareFeed' });
export type Feed = z.infer<typeof Feed>;

const Coverage = z.object({ claims: count, withSector: count });
const coverage = Coverage.nullable().describe(
  'How many claims have a sector: the others are in no sector figure. Beyond the contract.',
);
const updatedAt = timestamp.nullable().describe('Date of the newest data; null before the first load.');

export const Stats = z
  .object({
    totalVictims: figure,
    activeGroups: figure.describe('With a claim in 30 days.'),
    attacksThisMonth: figure.describe('Claims, by the UTC month.'),
    attacksThisYear: figure,
    last24h: figure,
    last7d: figure,
    topGroups: z.array(z.object({ group: z.string(), count })).max(10),
    topCountries: z.array(z.object({ country: z.string(), count })).max(10),
    topSectors: z.array(z.object({ sector: z.string(), count })).max(10),
    coverage: Coverage.extend({ withCountry: count }).nullable(),
    updatedAt,
    ...loadedFields,
    disclaimer,
  })
  .meta({ id: 'RansomwareStats' });
export type Stats = z.infer<typeof Stats>;

const dataAsOf = timestamp.nullable().describe('Date of the newest claim. Beyond the contract.');
const NO_LEVEL = '`inconclusive`: no claims are loaded on this service.';
const riskLevel = z.enum([...RISK_LEVELS, 'inconclusive']).describe(NO_LEVEL);

const SectorFigures = z.object({
  sector: z.string(),
  riskLevel: z.enum(RISK_LEVELS),
  score: z.int().min(0).max(100),
  victims30d: count,
  victimsPrev30d: count,
  trend: z.enum(TRENDS),
  topGroups: z.array(z.string()).max(5).describe('Of the last 30 days.'),
});
export const SectorRisks = z
  .object({
    sectors: z.array(SectorFigures).max(SECTORS.length),
    coverage,
    updatedAt,
    dataAsOf,
    ...loadedFields,
    disclaimer,
  })
  .meta({ id: 'RansomwareSectorRisks' });
export const SectorDetail = SectorFigures.extend({
  riskLevel,
  score: SectorFigures.shape.score.nullable(),
  victims30d: figure,
  victimsPrev30d: figure,
  trend: SectorFigures.shape.trend.nullable(),
  countries: z.array(z.string()).max(20),
  recentVictims: z.array(Victim).max(20),
  press: z.array(PressItem).max(50).optional().describe('Only with the press flag.'),
  coverage,
  updatedAt,
  dataAsOf,
  ...loadedFields,
  disclaimer,
}).meta({ id: 'RansomwareSectorDetail' });
export const SectorRiskReply = z.union([SectorRisks, SectorDetail]).meta({ id: 'RansomwareSectorRisk' });
export type SectorRiskReply = z.infer<typeof SectorRiskReply>;
export type SectorFigures = z.infer<typeof SectorFigures>;

const POINTS_MAX = 120 * SECTORS.length;
export const SectorHistory = z
  .object({
    days: z.int().min(1).max(120),
    sector: z.string().nullable(),
    points: z
      .array(
        z.object({
          date: z.iso.date(),
          sector: z.string(),
          victims: count.describe('Claimed on that day.'),
          score: z.int().min(0).max(100).describe('As of that day, over 30 days.'),
          riskLevel: z.enum(RISK_LEVELS),
        }),
      )
      .max(POINTS_MAX)
      .describe('By day, then by sector. Without `sector`, those with claims in these days.'),
    coverage,
    dataAsOf,
    ...loadedFields,
    disclaimer,
  })
  .meta({ id: 'RansomwareSectorHistory' });
export type SectorHistory = z.infer<typeof SectorHistory>;

export const SectorVictims = z
  .object({
    sector: z.string(),
    riskLevel,
    total: figure,
    victims: z.array(Victim).max(100),
    coverage,
    dataAsOf,
    ...loadedFields,
    disclaimer,
  })
  .meta({ id: 'RansomwareSectorVictims' });
export type SectorVictims = z.infer<typeof SectorVictims>;

export const Press = z
  .object({
    entries: z
      .array(
        PressItem.extend({
          id: z.string(),
          groups: z.array(z.string()).max(20).describe('Groups that claimed this victim near that date.'),
          victim: z.string().nullable().describe('Whom the article names.'),
        }),
      )
      .max(100),
    total: figure,
    ...loadedFields,
    disclaimer,
  })
  .meta({ id: 'RansomwarePress' });
export type Press = z.infer<typeof Press>;

export const GROUP_STATUSES = ['active', 'inactive', 'seized'] as const;
export type GroupStatus = (typeof GROUP_STATUSES)[number];
const status = z
  .enum(GROUP_STATUSES)
  .nullable()
  .describe(
    '`seized`: a source says that authorities hold its sites. `active`: a claim in 90 days. Null: no claims are loaded on this service.',
  );
const victimsOfGroup = figure.describe('Null: no claims are loaded on this service.');

export const Groups = z
  .object({
    groups: z
      .array(
        z.object({
          name: z.string(),
          victims: victimsOfGroup,
          status,
          countries: z.array(z.string()).max(10),
          sectors: z.array(z.string()).max(10),
          claims30d: count.optional(),
          claimsPrev30d: count.optional(),
          lastClaimAt: timestamp.optional(),
          firstClaimAt: timestamp
            .optional()
            .describe('This and the three before are there for a group with claims, and absent for another.'),
        }),
      )
      .max(500),
    total: figure,
    activity: z.boolean().describe('Whether claims are loaded.'),
    ...loadedFields,
    disclaimer,
  })
  .meta({ id: 'RansomwareGroups' });
export type Groups = z.infer<typeof Groups>;

export const GroupProfileReply = z
  .object({
    name: z.string(),
    aliases: z.array(z.string()).max(100).describe('Only names that a source gives.'),
    description: z.string().nullable(),
    status,
    firstSeen: timestamp.nullable().describe('First claim.'),
    lastSeen: timestamp.nullable().describe('Last claim.'),
    victims: victimsOfGroup,
    victims30d: victimsOfGroup,
    countries: z.array(z.string()).max(20),
    sectors: z.array(z.string()).max(20),
    locations: z
      .array(
        z.object({
          fqdn: z.string().describe('Defanged.'),
          available: z.boolean().nullable(),
          lastCheckedAt: timestamp.nullable(),
        }),
      )
      .max(100),
    ttps: z
      .array(
        z.object({
          tacticId: z.string().nullable().describe('Null while no ATT&CK data is loaded here.'),
          tactic: z.string().nullable(),
          techniqueId: z.string(),
          technique: z.string(),
        }),
      )
      .max(200),
    tools: z.array(z.string()).max(100).describe('Empty: no source of this service names tools.'),
    cves: z.array(z.string()).max(100).describe('Empty: no source of this service names vulnerabilities.'),
    notes: z
      .boolean()
      .nullable()
      .describe('A source keeps ransom notes of it. Null: no source of groups is loaded on this service.'),
    references: z.array(z.string()).max(100).describe('Pages about the group; never its own.'),
    ...loadedFields,
    disclaimer,
  })
  .meta({ id: 'RansomwareGroupProfile' });
export type GroupProfileReply = z.infer<typeof GroupProfileReply>;
