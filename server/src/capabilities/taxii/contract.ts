import { z } from 'zod';

const DATE = 'RFC 3339; of the date that the indicator was added to the collection.';

export const CollectionParams = z.object({
  collectionId: z
    .string()
    .max(64)
    .describe('Id of a collection; with the suffix `-observables` its twin of observed data.')
    .meta({ examples: ['malicious-ips'] }),
});
export const ObjectParams = CollectionParams.extend({
  objectId: z
    .string()
    .max(128)
    .describe('Id of the identity of this service. Indicators cannot be looked up by id: 404.')
    .meta({ examples: ['identity--7b2e2f0c-4a34-5a0e-9d0b-1f5d7f3f6f11'] }),
});

export const PageQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      'Objects of a page; default 50. PRO gets at most 1001, ENTERPRISE 8001. One of them is the identity.',
    ),
  added_after: z.string().max(64).optional().describe(`Only what was added later. ${DATE}`),
  added_before: z.string().max(64).optional().describe(`Only what was added earlier. ${DATE}`),
  next: z.string().max(8_192).optional().describe('X-TAXII-Next of the page before.'),
  min_score: z.coerce.number().int().min(0).max(100).optional().describe('Leaves out lower scores.'),
  max_score: z.coerce.number().int().min(0).max(100).optional().describe('Leaves out higher scores.'),
  'match[type]': z
    .string()
    .max(500)
    .optional()
    .describe('Types, comma-separated. `match` counts only where Accept names application/taxii+json.'),
  'match[id]': z.string().max(4_000).optional().describe('Ids, comma-separated.'),
  'match[version]': z
    .string()
    .max(4_000)
    .optional()
    .describe('`last`, `first`, `all` or times of `modified`; only the last version is kept.'),
  'match[spec_version]': z.string().max(100).optional().describe('2.1 is the only one.'),
  with: z
    .literal('malware')
    .optional()
    .describe('Extension: adds malware objects and the relationships from indicators to them.'),
});
export type PageQuery = z.output<typeof PageQuery>;

const MediaTypes = z.array(z.string().max(100)).max(4);
const Title = z.string().max(200);

export const Discovery = z.object({
  title: Title,
  api_roots: z.array(z.string().max(200)).max(4),
  description: Title,
  default: z.string().max(200),
});
export const ApiRoot = z.object({
  collections: z.array(z.object({ id: z.string().max(64), title: Title })).max(16),
  title: Title,
  description: Title,
  versions: MediaTypes,
  max_content_length: z.int().describe('0: nothing can be written.'),
});

const Described = {
  id: z.string().max(64),
  title: Title,
  alias: z.string().max(64),
  can_read: z.boolean(),
  can_write: z.boolean(),
  media_types: MediaTypes,
};
export const CollectionList = z.object({ collections: z.array(z.object(Described)).max(16) });

const BANDS = Array.from({ length: 10 }, (_, band) =>
  band === 9 ? '90-100' : `${band * 10}-${band * 10 + 9}`,
);
/** Counts of indicators by band of ten points; the names of the bands are those of decisions 3.6. */
export const histogramOf = (counts: readonly number[]): Readonly<Record<string, number>> =>
  Object.fromEntries(BANDS.map((band, place) => [band, counts[place] ?? 0]));

export const CollectionReply = z.object({
  ...Described,
  x_svc_score_histogram: z
    .record(z.string().max(8), z.int())
    .optional()
    .describe('Indicators by score; shared collections only, and absent until they were counted once.'),
  x_svc_total: z.int().optional(),
  x_svc_computed_at: z.string().max(40).optional(),
});
export type CollectionReply = z.output<typeof CollectionReply>;

const StixObject = z
  .looseObject({ type: z.string().max(64), id: z.string().max(128) })
  .describe('An object of STIX 2.1.');
export const ObjectsReply = z.object({
  type: z.literal('bundle'),
  id: z.string().max(64),
  objects: z.array(StixObject).describe('The identity first, then the indicators.'),
  more: z.boolean().describe('Whether X-TAXII-Next continues the walk.'),
  next: z.string().max(8_192).optional(),
});
const ManifestRecord = z.object({
  id: z.string().max(128),
  date_added: z.string().max(40),
  version: z.string().max(40),
  media_type: z.string().max(64),
});
export type ManifestRecord = z.output<typeof ManifestRecord>;
export const ManifestReply = z.object({
  more: z.boolean(),
  next: z.string().max(8_192).optional(),
  objects: z.array(ManifestRecord).describe('One for each object of the same query, in the same order.'),
});
export const VersionsReply = z.object({ more: z.boolean(), versions: z.array(z.string().max(40)).max(1) });

/** The fields of a TAXII error beside those of every error. */
export const TaxiiError = z.object({
  title: z.string().max(64).describe('Same as `error`.'),
  description: z.string().max(2_000).describe('Same as `message`.'),
  http_status: z.string().max(3),
});
