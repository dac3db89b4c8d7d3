import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_DATASETS } from '#app/all-datasets.ts';
import {
  type DatasetDefinition,
  type DatasetDeps,
  describeDatasets,
  type LoadReport,
  type RunOptions,
  type RunOutcome,
  runDefinition,
} from '#capabilities/datasets/index.ts';
import { feedsRoutes } from '#capabilities/feeds/index.ts';
import { createLog } from '#platform/log.ts';
import { createOutbound } from '#platform/outbound.ts';
import { asSystem, connectPostgres, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from './database.ts';
import { testApp } from './http-app.ts';
import { type Publisher, startPublisher } from './publisher.ts';

export type FreshnessRow = {
  readonly id: string;
  readonly status: string;
  readonly message: string | null;
  readonly cause: string | null;
  readonly records: number | null;
};

export type DatasetRig = {
  readonly publisher: Publisher;
  readonly database: TestDatabase;
  readonly system: Postgres;
  readonly deps: DatasetDeps;
  readonly now: () => number;
  readonly move: (ms: number) => void;
  /** The pauses between requests, in order; the clock moves instead of the test waiting. */
  readonly waits: number[];
  readonly definitionOf: (id: string) => DatasetDefinition;
  /** Runs a data set as the worker does, after the publisher's interval has passed. */
  readonly run: (id: string, options?: RunOptions) => Promise<RunOutcome<LoadReport>>;
  /** The row of GET /platform/data-freshness. */
  readonly freshness: (id: string) => Promise<FreshnessRow | undefined>;
  readonly actions: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

/** Where the loopback publisher has the data of a data set. */
export const pathOf = (id: string): string => `publisher/${id}`;

/** A real definition with a loopback publisher. It serves few records, so the volume band begins lower. */
export const onLoopback = (
  definition: DatasetDefinition,
  url: string,
  // A minimum of 0 stays, because a list of changes may be empty.
  volume = { ...definition.volume, min: Math.min(definition.volume.min, 10) },
): DatasetDefinition => ({ ...definition, urls: [url], volume });

/** The pipeline of data sets over a database of its own; its way out reaches one publisher on loopback only. */
export async function startDatasetRig(startMs: number): Promise<DatasetRig> {
  const publisher = await startPublisher();
  const database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 };
  const system = asSystem(config);
  const postgres = connectPostgres(config, 'assay_app', PATIENT);
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-datasets-'));
  const log = createLog('silent');
  let movedMs = 0;
  const started = performance.now();
  const move = (ms: number) => {
    movedMs += ms;
  };
  const clock = {
    now: () => Math.round(startMs + movedMs + (performance.now() - started)),
    monotonic: () => performance.now() + movedMs,
  };
  const outbound = createOutbound({ log, clock, allow: [publisher.allow] });
  const waits: number[] = [];
  const deps: DatasetDeps = {
    system,
    clock,
    log,
    dataDir,
    outbound,
    keys: () => undefined,
    downloadDeadlineMs: 60_000,
    wait: async (ms) => {
      waits.push(ms);
      move(ms);
    },
  };
  const definitionOf = (id: string): DatasetDefinition => {
    const definition = ALL_DATASETS.find((each) => each.id === id);
    if (definition === undefined) throw new Error(`There is no data set '${id}'.`);
    return onLoopback(definition, publisher.url(pathOf(id)));
  };
  const app = testApp(
    feedsRoutes({ clock, postgres, otherData: () => describeDatasets({ postgres }, ALL_DATASETS) }),
  );
  const report = async () => {
    // The route keeps its data for some seconds before it reads it again.
    move(10_000);
    const answer = await app.inject({ method: 'GET', url: '/platform/data-freshness' });
    return answer.json() as {
      readonly datasets: readonly FreshnessRow[];
      readonly actions: readonly string[];
    };
  };
  return {
    publisher,
    database,
    system,
    deps,
    now: clock.now,
    move,
    waits,
    definitionOf,
    run: (id, options = {}) => {
      const definition = definitionOf(id);
      move(definition.minIntervalS * 1_000 + 1_000);
      return runDefinition(deps, definition, options);
    },
    freshness: async (id) => (await report()).datasets.find((each) => each.id === id),
    actions: async () => (await report()).actions,
    close: async () => {
      await app.close();
      await outbound.close();
      await Promise.all([system.close(), postgres.close()]);
      await publisher.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
