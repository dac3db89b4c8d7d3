import { z } from 'zod';
import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import type { Gate } from '#capabilities/lists/index.ts';
import { eventType } from '#platform/events.ts';
import type { Outbound } from '#platform/outbound.ts';
import type { Db } from '#platform/postgres.ts';
import type { IngestReport } from '../ingest/contract.ts';
import type { IngestDeps } from '../ingest/ingest-snapshot.ts';

export type PipelineDeps = IngestDeps & {
  readonly outbound: Outbound;
  readonly keys: (env: string) => string | undefined;
  readonly catalogue: readonly CatalogueRow[];
  /** Limit for each part, from the name lookup to its last byte; five minutes when absent. */
  readonly downloadDeadlineMs?: number;
};

export type RunProgress = {
  readonly phase: 'fetch' | 'parse';
  readonly lines: number;
};

export type RunOptions = {
  /** Set by an operator: fetches now, regardless of the interval, and merges even unchanged content. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
  /** The worker that runs it. Its connections carry this name, so that they can be ended when it is declared dead. */
  readonly workerId?: string;
  /** Called in each transaction that matters; throws when the worker has lost its lease (foundation rule 12). */
  readonly fence?: (tx: Db) => Promise<void>;
};

export type RunStatus = 'succeeded' | 'unchanged' | 'quarantined' | 'failed';

export type RunOutcome = {
  readonly sourceId: string;
  /** Null when the run was not started (`skipped`). */
  readonly runId: string | null;
  readonly status: RunStatus | 'skipped';
  /** One sentence for the operator; null when it succeeded. */
  readonly reason: string | null;
  readonly gate?: Gate;
  readonly report?: IngestReport;
};

/** Words of decisions 3.14. The later phases are absent: scores are never stored and nothing is published yet. */
export type RunPhase = {
  readonly id: 'fetch' | 'parse' | 'normalize' | 'dedupe';
  readonly status: 'succeeded' | 'failed' | 'skipped';
  readonly durationMs: number;
  readonly records: number | null;
};

export const FetchedPart = z.object({
  /** As in the catalogue, so without a key in the URL. */
  url: z.string().max(2_048),
  etag: z.string().max(1_024).nullable(),
  lastModified: z.string().max(128).nullable(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number(),
  atMs: z.number(),
});
export type FetchedPart = z.infer<typeof FetchedPart>;

export type Quarantined = {
  readonly sourceId: string;
  readonly runId: string;
  readonly since: string;
  readonly gate: string;
  readonly reason: string;
  /** False: the gate cannot be overruled (a web page, a truncated file). */
  readonly isReleasable: boolean;
  readonly dataAt: string | null;
  readonly contentSha256: string | null;
};

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
