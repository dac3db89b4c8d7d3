import { z } from 'zod';
import { RISK_LEVELS, SECTORS, TRENDS } from '#domain/ransomware/index.ts';

const TEXT_MAX = 2_048;
const SECTOR_TEXT_MAX = 100;
const GROUPS_ASKED_MAX = 50;
export const count = z.int().min(0);
export const timestamp = z.iso.datetime();

export const DISCLAIMER =
  'These are claims of ransomware groups on their own sites, as trackers report them. Groups exaggerate and lie: a claim does not show that an attack took place.';
export const figure = count.nullable();

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
  message: z
    .string()
    .max(800)
    .optional()
    .describe(
      'What is missing and how to load it: with `loaded: false`, with `inconclusive: true`, and where a figure could not be compared. Beyond the contract.',
    ),
};
const dataAsOf = timestamp.nullable().describe('Date of the newest claim. Beyond the contract.');
/** The fields with which an answer says that its claims do not suffice for a conclusion (decisions O65). */
export const conclusionFields = {
  inconclusive: z
    .boolean()
    .describe(
      'True: the newest claim is older than 14 days, or fewer than 20 % of the claims have the field that a figure is made of. Such figures are null, such lists are empty, and `message` says why. Beyond the contract.',
    ),
  dataAsOf,
};
export const disclaimer = z.string().describe('What a claim is, and what it is not.');

/** A limit above the maximum is read as the maximum; one below 1 or not a number is refused (decisions 1.6). */
export const limitOf = (usual: number, max: number) =>
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
const PressItem = z.object({
  title: z.string(),
  url: z.string(),
  source: z.string().describe('Host of the article.'),
  publishedAt: timestamp,
});

/** Where the sector or country of a victim comes from: a tracker says it, or a rule inferred it (decisions O65). */
export const Basis = z
  .object({
    inferred: z
      .boolean()
      .describe('True: read from the name, the domain or articles by a rule of this service.'),
    rule: z.string().max(100).nullable().describe('Such as `name: hospital`; null where a tracker says it.'),
  })
  .nullable();
const basisOf = (field: string) =>
  Basis.describe(`Where \`${field}\` comes from; null where it is null. Beyond the contract.`);

export const family = z.string().max(100).nullable();

export const Victim = z
  .object({
    id: z.string(),
    victim: z.string().describe('As the claim names it, in a form that nothing interprets.'),
    group: z.string(),
    family: family.describe(
      'The family of a group with generations, such as `lockbit`. Beyond the contract.',
    ),
    domain: z.string().nullable(),
    country: z.string().nullable().describe('ISO 3166-1 alpha-2.'),
    countryBasis: basisOf('country'),
    sector: z.string().nullable().describe('As a tracker says it, else inferred.'),
    sectorBasis: basisOf('sector'),
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
    dataAsOf,
    ...loadedFields,
    generatedAt: timestamp,
    disclaimer,
  })
  .meta({ id: 'RansomwareFeed' });
export type Feed = z.infer<typeof Feed>;

const Coverage = z.object({
  claims: count,
  withSector: count,
  sectorInferred: count.describe('Of these, with a sector that a rule inferred.'),
});
const coverage = Coverage.extend({
  claims30d: count.describe('Of the last 30 days.'),
  withSector30d: count,
})
  .nullable()
  .describe('How many claims have a sector: the others are in no sector figure. Beyond the contract.');
const updatedAt = timestamp.nullable().describe('Date of the newest data; null before the first load.');

export const Stats = z
  .object({
    totalVictims: figure,
    activeGroups: figure.describe('With a claim in 30 days. Null, as the four below, if the claims are old.'),
    attacksThisMonth: figure.describe('Claims, by the UTC month.'),
    attacksThisYear: figure,
    last24h: figure,
    last7d: figure,
    topGroups: z.array(z.object({ group: z.string(), count })).max(10),
    topCountries: z.array(z.object({ country: z.string(), count })).max(10),
    topSectors: z.array(z.object({ sector: z.string(), count })).max(10),
    coverage: Coverage.extend({ withCountry: count, countryInferred: count }).nullable(),
    updatedAt,
    ...conclusionFields,
    ...loadedFields,
    disclaimer,
  })
  .meta({ id: 'RansomwareStats' });
export type Stats = z.infer<typeof Stats>;

const NO_LEVEL =
  '`inconclusive`: no claims are loaded, the newest is older than 14 days, or fewer than 20 % of the last 30 days have a sector.';
const riskLevel = z.enum([...RISK_LEVELS, 'inconclusive']).describe(NO_LEVEL);

const score = z.int().min(0).max(100).nullable();
const SectorFigures = z.object({
  sector: z.string(),
  riskLevel,
  score: score.describe('Null: `riskLevel` is `inconclusive`.'),
  victims30d: figure,
  victimsPrev30d: figure,
  trend: z.enum(TRENDS).nullable().describe('Null: inconclusive, or the 30 days before were not counted.'),
  topGroups: z.array(z.string()).max(5).describe('Of the last 30 days.'),
});
export const SectorRisks = z
  .object({
    sectors: z.array(SectorFigures).max(SECTORS.length),
    coverage,
    updatedAt,
    ...conclusionFields,
    ...loadedFields,
    disclaimer,
  })
  .meta({ id: 'RansomwareSectorRisks' });
export const SectorDetail = SectorFigures.extend({
  countries: z.array(z.string()).max(20),
  recentVictims: z.array(Victim).max(20),
  press: z.array(PressItem).max(50).optional().describe('Only with the press flag.'),
  coverage,
  updatedAt,
  ...conclusionFields,
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
          victims: figure.describe('Claimed on that day. Null: an inconclusive day without a known claim.'),
          score: score.describe('As of that day, over 30 days.'),
          riskLevel,
        }),
      )
      .max(POINTS_MAX)
      .describe('By day, then by sector. Without `sector`, those with claims in these days.'),
    coverage,
    ...conclusionFields,
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
    ...conclusionFields,
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
