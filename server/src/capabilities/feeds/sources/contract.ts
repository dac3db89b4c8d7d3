import { z } from 'zod';
import {
  FP_RISKS,
  LICENCE_MODES,
  SIGNALS,
  SOURCE_FORMATS,
  THREAT_CLASSES,
} from '#capabilities/corpus/index.ts';

const SOURCES_MAX = 32_767;
const count = z.int().min(0);
const timestamp = z.iso.datetime();

export const SOURCE_STATUSES = ['ok', 'stale', 'failing'] as const;

/** One source as a licensed caller sees it (decisions 3.5 and G8). */
const LicensedSource = z
  .object({
    id: z.string(),
    provider: z.string().nullable(),
    name: z.string(),
    type: z.string(),
    url: z.string().nullable().describe('Where the publisher offers it.'),
    status: z
      .enum([...SOURCE_STATUSES, 'disabled'])
      .describe(
        '`ok`, `stale` (old data) and `failing` (the last attempt brought nothing) as in /sources/statistics; `disabled`: switched off, or neither fetched nor ever loaded here.',
      ),
    category: z.string(),
    categories: z.array(z.string()),
    entityTypes: z.array(z.string()),
    format: z.enum(SOURCE_FORMATS),
    licenseMode: z.enum(LICENCE_MODES),
    tags: z.array(z.string()),
    confidenceBase: z.int().min(0).max(100).describe('Prior reliability of the source, in percent.'),
    retentionDays: z.int(),
    threatClass: z.enum(THREAT_CLASSES),
    fpRisk: z.enum(FP_RISKS),
    signal: z.enum(SIGNALS),
    lastFetchedAt: timestamp.nullable(),
    entries: count,
  })
  .meta({ id: 'LicensedSource' });
export type LicensedSource = z.infer<typeof LicensedSource>;
export const LicensedSources = z.array(LicensedSource).max(SOURCES_MAX);

const counts = (what: string) => z.record(z.string(), count).describe(what);

/** The figures of /sources/statistics (decisions 3.5). */
export const SourceStatistics = z
  .object({
    totalSources: count.describe('Every source of the registry, in use or not.'),
    activeSources: count.describe('Sources in use: enabled, and fetched or loaded.'),
    failingSources: count.describe('Active sources whose last attempt brought nothing.'),
    byType: counts('Active sources by type.'),
    byCategory: counts('Active sources by category.'),
    byThreatClass: counts('Active sources by threat class.'),
    totalIndicators: count.describe(
      'Distinct indicators that an enabled source lists now: `indicators` of /stats.',
    ),
    sourceCount: count.describe(
      'Sources that list something now, counted as in /stats. Beyond the contract.',
    ),
    lastIngestAt: timestamp.nullable().describe('When the last content was taken in.'),
    sources: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          entries: count,
          added24h: count.describe(
            'Entries that began in the last 24 hours: by the date that the source gives them, else the day on which they appeared in the list.',
          ),
          removed24h: count.describe('Entries that the source dropped in the last 24 hours.'),
          lastFetchedAt: timestamp.nullable(),
          status: z.enum(SOURCE_STATUSES),
        }),
      )
      .max(SOURCES_MAX)
      .describe('The active ones.'),
  })
  .meta({ id: 'SourceStatistics' });
export type SourceStatistics = z.infer<typeof SourceStatistics>;

/** The wrapper around the figures (decisions 1.8). */
export const SourceStatisticsReply = z
  .object({
    success: z.literal(true),
    data: SourceStatistics,
    timestamp: timestamp.describe('When these figures were computed, every five minutes.'),
  })
  .meta({ id: 'SourceStatisticsReply' });
export type SourceStatisticsReply = z.infer<typeof SourceStatisticsReply>;
