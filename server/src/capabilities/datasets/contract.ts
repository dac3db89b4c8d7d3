import { z } from 'zod';
import type { Gate } from '#capabilities/lists/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Outbound } from '#platform/outbound.ts';
import type { Db, Postgres } from '#platform/postgres.ts';

export type DatasetDeps = {
  readonly system: Postgres;
  readonly clock: Clock;
  readonly log: Log;
  readonly dataDir: string;
  readonly outbound: Outbound;
  readonly keys: (env: string) => string | undefined;
  /** Limit for each part, from the name lookup to its last byte; five minutes when absent. */
  readonly downloadDeadlineMs?: number;
  /** Waits between two requests to one publisher; real time when absent. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** Where the next download starts, in the publisher's own terms (such as a date); null: from the beginning. */
export type DatasetCursor = Readonly<Record<string, unknown>> | null;

/** What a download needs to know of a data set; a row of the feeds catalogue has all of it. */
export type Fetchable = {
  readonly id: string;
  /** The publisher's URLs; several are parts of one snapshot. `{key}` is replaced by the key's value. */
  readonly urls: readonly string[];
  readonly pollS: number;
  /** The publisher's own limit: never fetched more often, not even by an operator. */
  readonly minIntervalS: number;
  readonly bytesMax: number;
  /** Environment variable that holds the publisher's key, and the header in which it is sent. */
  readonly key?: { readonly env: string; readonly header?: string };
  /** True where a web page is the expected content. */
  readonly isPage?: boolean;
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
  /** Called in transactions that begin or end a run; throws when the worker lost its lease (foundation rule 12). */
  readonly fence?: (tx: Db) => Promise<void>;
};

export type RunStatus = 'succeeded' | 'unchanged' | 'quarantined' | 'failed';

export type RunOutcome<R = unknown> = {
  readonly sourceId: string;
  /** Null when the run was not started (`skipped`). */
  readonly runId: string | null;
  readonly status: RunStatus | 'skipped';
  /** One sentence for the operator; null when it succeeded. */
  readonly reason: string | null;
  readonly gate?: Gate;
  readonly report?: R;
};

/** Phases named as in decisions 3.14, without its later ones: scores are never stored and nothing is published yet. */
export type RunPhase = {
  readonly id: 'fetch' | 'parse' | 'normalize' | 'dedupe';
  readonly status: 'succeeded' | 'failed' | 'skipped';
  readonly durationMs: number;
  readonly records: number | null;
};

export const FetchedPart = z.object({
  /** The URL as the catalogue writes it, so without the publisher's key. */
  url: z.string().max(2_048),
  etag: z.string().max(1_024).nullable(),
  lastModified: z.string().max(128).nullable(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number(),
  atMs: z.number(),
});
export type FetchedPart = z.infer<typeof FetchedPart>;

/** What an operator decided about a quarantined download. */
export type Decision = {
  readonly sourceId: string;
  readonly at: string;
  readonly action: 'release' | 'discard';
  readonly by: string;
  readonly gate: string;
  /** Why the download was in quarantine. */
  readonly reason: string;
  readonly contentSha256: string | null;
};

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
