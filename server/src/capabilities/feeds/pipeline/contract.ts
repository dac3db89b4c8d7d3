import { z } from 'zod';
import { eventType } from '#platform/events.ts';
import type { Outbound } from '#platform/outbound.ts';
import type { Db } from '#platform/postgres.ts';
import type { CatalogueRow } from '../catalogue/catalogue-row.ts';
import type { Gate, IngestReport } from '../ingest/contract.ts';
import type { IngestDeps } from '../ingest/ingest-snapshot.ts';

export type PipelineDeps = IngestDeps & {
  readonly outbound: Outbound;
  /** The publisher's key by the name of its environment variable. */
  readonly keys: (env: string) => string | undefined;
  readonly catalogue: readonly CatalogueRow[];
  /** For each part, from the name look-up to its last byte; five minutes when absent. */
  readonly downloadDeadlineMs?: number;
};

export type RunProgress = {
  readonly phase: 'fetch' | 'parse';
  readonly lines: number;
};

export type RunOptions = {
  /** An operator's own word: asks now, whatever the interval, and takes what comes even when nothing changed. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
  /** Of the worker that runs it: its connections carry this name, so that they end when it is taken for dead. */
  readonly workerId?: string;
  /** Called in each transaction that matters: throws when the worker's lease is no longer its own (rule 12). */
  readonly fence?: (tx: Db) => Promise<void>;
};

export type RunStatus = 'succeeded' | 'unchanged' | 'quarantined' | 'failed';

export type RunOutcome = {
  readonly sourceId: string;
  /** Null when the run was not even started (`skipped`). */
  readonly runId: string | null;
  readonly status: RunStatus | 'skipped';
  /** One sentence for people; null when it succeeded. */
  readonly reason: string | null;
  readonly gate?: Gate;
  readonly report?: IngestReport;
};

/** Words of decisions 3.14. Scores are never stored and nothing is published yet, so the later phases are absent. */
export type RunPhase = {
  readonly id: 'fetch' | 'parse' | 'normalize' | 'dedupe';
  readonly status: 'succeeded' | 'failed' | 'skipped';
  readonly durationMs: number;
  readonly records: number | null;
};

/** One URL of a source as it was last downloaded whole. */
export const FetchedPart = z.object({
  /** As in the catalogue: a key in the URL is not part of it. */
  url: z.string().max(2_048),
  etag: z.string().max(1_024).nullable(),
  lastModified: z.string().max(128).nullable(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number(),
  /** When all its bytes were last seen. */
  atMs: z.number(),
});
export type FetchedPart = z.infer<typeof FetchedPart>;

export type Quarantined = {
  readonly sourceId: string;
  readonly runId: string;
  readonly since: string;
  readonly gate: string;
  readonly reason: string;
  /** False: nobody may overrule this gate (a web page, a cut-off file). */
  readonly isReleasable: boolean;
  readonly dataAt: string | null;
  readonly contentSha256: string | null;
};

/** Decisions O13: one summary an update; a first load is one event however long the list. */
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
