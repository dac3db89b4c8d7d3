import { z } from 'zod';
import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import type { DatasetDeps } from '#capabilities/datasets/index.ts';
import { eventType } from '#platform/events.ts';
import type { IngestDeps } from '../ingest/ingest-snapshot.ts';

export type PipelineDeps = IngestDeps & DatasetDeps & { readonly catalogue: readonly CatalogueRow[] };

/** One summary event per update; a first load is one event, however long the list (decisions O13). */
export const SourceUpdated = eventType({
  name: 'source.updated',
  schema: z.object({
    sourceId: z.string().max(64),
    version: z.int(),
    added: z.int(),
    removed: z.int(),
    changed: z.int(),
    firstLoad: z.boolean(),
  }),
});
