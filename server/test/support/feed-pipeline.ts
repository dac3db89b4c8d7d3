import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { listSources } from '#capabilities/corpus/index.ts';
import type { PipelineDeps } from '#capabilities/feeds/index.ts';
import { type Clock, systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { createLog } from '#platform/log.ts';
import { createOutbound } from '#platform/outbound.ts';
import { asSystem } from '#platform/postgres.ts';
import { reportFreshness } from '../../src/capabilities/feeds/freshness/report-freshness.ts';
import { listFeedStates } from '../../src/capabilities/feeds/freshness/store.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export type FeedPipeline = {
  readonly deps: PipelineDeps & { readonly catalogue: CatalogueRow[] };
  readonly database: TestDatabase;
  readonly clock: MovableClock;
  readonly owner: pg.Client;
  readonly listed: (sourceId: string) => Promise<string>;
  readonly state: (sourceId: string) => Promise<StateRow>;
  readonly runs: (sourceId: string) => Promise<readonly RunRow[]>;
  readonly close: () => Promise<void>;
};
export type StateRow = {
  readonly problem: string | null;
  readonly failures: number;
  readonly content_sha256: string | null;
  readonly next_run_at: Date | null;
  readonly quarantined: string | null;
};
export type RunRow = {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly entries: number | null;
  readonly finished_at: Date | null;
  readonly phases: readonly { readonly id: string; readonly status: string }[];
};
export type MovableClock = Clock & { readonly move: (ms: number) => void };

export type FeedPipelineOptions = {
  readonly allow: readonly string[];
  readonly authorities?: readonly string[];
  readonly downloadDeadlineMs?: number;
  readonly keys?: PipelineDeps['keys'];
};

/** The pipeline on its own database; its way out reaches the given publishers on loopback only. */
export async function startFeedPipeline(options: FeedPipelineOptions): Promise<FeedPipeline> {
  const database = await createTestDatabase();
  const system = asSystem({ ...loadConfig({ DATABASE_URL: database.url }), POSTGRES_POOL_MAX: 6 });
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-feed-pipeline-'));
  const log = createLog('silent');
  const clock = movableClock();
  const outbound = createOutbound({
    log,
    clock,
    allow: options.allow,
    ...(options.authorities === undefined ? {} : { authorities: options.authorities }),
  });
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  const deps = {
    system,
    clock,
    log,
    dataDir,
    outbound,
    keys: options.keys ?? (() => undefined),
    catalogue: [],
    downloadDeadlineMs: options.downloadDeadlineMs ?? 5_000,
  };
  return {
    deps,
    database,
    clock,
    owner,
    listed: async (sourceId) => {
      const { rows } = await owner.query<{ line: string }>(
        `select l::text as line from listing l join source s on s.number = l.source_number
          where s.id = $1 order by l.key`,
        [sourceId],
      );
      return rows.map(({ line }) => line).join('\n');
    },
    state: async (sourceId) => {
      const { rows } = await owner.query<StateRow>(
        `select f.problem, f.failures, f.content_sha256, f.next_run_at, q.gate as quarantined
           from source s join feed_state f on f.source_number = s.number
           left join feed_quarantine q on q.source_number = s.number where s.id = $1`,
        [sourceId],
      );
      if (rows[0] === undefined) throw new Error(`'${sourceId}' has no feed state.`);
      return rows[0];
    },
    runs: async (sourceId) => {
      const { rows } = await owner.query<RunRow>(
        `select r.id, r.status, r.reason, r.entries, r.finished_at, r.phases from feed_run r
           join source s on s.number = r.source_number where s.id = $1 order by r.started_at, r.id`,
        [sourceId],
      );
      return rows;
    },
    close: async () => {
      await outbound.close();
      await system.close();
      await owner.end();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function movableClock(): MovableClock {
  let offsetMs = 0;
  const real = systemClock();
  return {
    now: () => real.now() + offsetMs,
    monotonic: real.monotonic,
    move: (ms) => {
      offsetMs += ms;
    },
  };
}

/** `count` public addresses that are no canary addresses, from an offset that depends on `seed`. */
export function addresses(count: number, seed = 0): readonly string[] {
  return Array.from({ length: count }, (_, nth) => {
    const number = seed * 4_096 + nth;
    return `45.${64 + ((number >> 16) & 63)}.${(number >> 8) & 255}.${number & 255}`;
  });
}
export const addressList = (count: number, seed = 0): string =>
  `# A list\n${addresses(count, seed).join('\n')}\n`;

/** The answer of GET /platform/data-freshness about the source, without the cache of the route. */
export async function freshnessOf({ deps: { system, clock } }: FeedPipeline, id: string) {
  const states = await listFeedStates(system.db);
  const { datasets } = reportFreshness(await listSources(system.db), states, clock.now());
  return datasets.find((dataset) => dataset.id === id);
}
