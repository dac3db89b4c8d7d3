import { z } from 'zod';

const SOURCES_MAX = 20;
export const TIMELINE_DAYS = 30;

const count = z.int().min(0);
const listedIndicators = count.describe(
  'Distinct indicators that any enabled source lists now, threat or not. Beyond the contract.',
);
const sourcesWithData = count.describe('Enabled sources that list something now. Beyond the contract.');

export const PublicStats = z
  .object({
    totalThreats: count.describe(
      'Distinct indicators of every kind that an enabled threat source lists now. Advertising and tracker lists, and lists that only describe (infrastructure, policy, allow lists), do not count.',
    ),
    byType: z.object({
      domains: count.describe('Of these, domain names.'),
      ips: count.describe('Of these, IP addresses and address ranges; a range counts once.'),
    }),
    recentActivity: z
      .object({
        last24h: count.describe(
          'Listings of threat sources that began in the last 24 hours: by the date that the source gives the entry, else the day on which it appeared in the list.',
        ),
        last7d: count.describe('The same in the last seven days.'),
        growthRate: z
          .number()
          .describe('Percent by which last7d differs from the seven days before; 0 when nothing began then.'),
      })
      .describe(
        'Listings, not indicators: one that two sources add counts twice. Counted by whole hours. Entries that nothing dates, as in the first load of a list without dates, are left out.',
      ),
    indicators: listedIndicators,
    sourceCount: sourcesWithData,
    freshSourceCount: count.describe(
      'Of these sources, those whose data is not older than the interval they promise allows. Beyond the contract.',
    ),
    newestDataAt: z
      .string()
      .nullable()
      .describe('Date of the newest data among these sources; null when there is none. Beyond the contract.'),
    accusedExample: z
      .object({
        value: z.string().describe('An IPv4 address.'),
        sourceCount: count.describe('Threat sources that list it.'),
      })
      .nullable()
      .describe(
        'An address to try a check with: of all addresses with level high or critical by their own listings, one that the most sources list. Counted at most once an hour; null when there is none. Beyond the contract.',
      ),
  })
  .meta({ id: 'PublicStats' });
export type PublicStats = z.infer<typeof PublicStats>;

/** The slices of decisions 3.15 in the order of contract 4.1. */
export const METRICS = [
  'threatOverview',
  'categoryBreakdown',
  'topSources',
  'threatDistribution',
  'threatTimeline',
  'geoThreatMap',
  'vulnerabilityPatterns',
] as const;
export type Metric = (typeof METRICS)[number];

export const AnalyticsQuery = z.object({
  metric: z.enum(METRICS).optional().describe('One slice; all of them when absent.'),
});

const ThreatOverview = z
  .object({
    totalThreats: count,
    byType: z
      .object({ ip: count, domain: count, url: count, hash: count })
      .describe(
        'Ranges count as ip. Threats of other kinds (e-mail addresses, AS numbers, wallets) are in the total only.',
      ),
    added24h: count.describe('Listings that began in the last 24 hours, counted as in `recentActivity`.'),
    removed24h: count.describe('Listings that left in the last 24 hours.'),
    indicators: listedIndicators,
    sourceCount: sourcesWithData,
  })
  .meta({ id: 'ThreatOverview' });

const AllSlices = z.object({
  threatOverview: ThreatOverview,
  categoryBreakdown: z
    .array(z.object({ category: z.string(), count, share: z.number().min(0).max(1) }))
    .describe(
      'Threats by the category of the sources that list them, most first. One listed under two categories counts in both, so shares may add up to more than 1.',
    ),
  topSources: z
    .array(z.object({ id: z.string(), name: z.string(), count }))
    .max(SOURCES_MAX)
    .describe('Threat sources with the most entries.'),
  threatDistribution: z
    .array(
      z.object({
        level: z.string(),
        count,
        words: z
          .array(z.object({ word: z.string(), count }))
          .describe(
            'The same by the words that a check has for this level, most first. Beyond the contract.',
          ),
      }),
    )
    .describe(
      'Threats by risk level, worst first; `inconclusive` is a listed indicator whose listings have too little weight, `safe` one that a list vouches for besides. Only listings of the indicator itself count: ranges around it, domains above it and its network are left out. AS numbers have no level. Empty before the first count.',
    ),
  threatTimeline: z
    .array(z.object({ day: z.iso.date(), added: count, removed: count }))
    .max(TIMELINE_DAYS)
    .describe(
      'The last 30 days (UTC), today last; a day on which nothing happened is there with zeros. `added` is counted as in `recentActivity`, `removed` by the day on which a fetch no longer had the entry.',
    ),
  geoThreatMap: z
    .array(z.object({ countryCode: z.string(), count }))
    .describe(
      'Listed threat addresses by country, most first; ranges, and addresses whose country the geo file does not know, are left out. Empty without a geo file.',
    ),
  vulnerabilityPatterns: z
    .object({
      bySeverity: z.record(z.string(), count),
      kev: count.nullable(),
      activeExploit: count.nullable(),
      loaded: z.boolean().describe('False: no CVE is loaded on this service. Beyond the contract.'),
      topCwes: z.array(z.object({ cwe: z.string(), count })),
    })
    .describe(
      'Of the CVE catalogue, without rejected CVEs: CVEs by severity, known exploited ones, those with reported exploitation, and the 20 most frequent weaknesses. Nulls and empty while no CVE is loaded.',
    ),
});
export type AllSlices = z.infer<typeof AllSlices>;

/** The chosen slice under its name, or all of them (contract 4.1). */
export const Analytics = AllSlices.partial().meta({ id: 'Analytics' });
export type Analytics = z.infer<typeof Analytics>;

/** The reply of `/metrics/threats`: both slices under their names (decisions 3.17). */
export const ThreatMetrics = AllSlices.pick({ threatOverview: true, categoryBreakdown: true }).meta({
  id: 'ThreatMetrics',
});

export const ThreatStatistics = z.object({ stats: PublicStats, analytics: AllSlices });
export type ThreatStatistics = z.infer<typeof ThreatStatistics>;
