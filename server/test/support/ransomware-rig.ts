import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import {
  type DatasetDefinition,
  type FilesGiven,
  type FilesOutcome,
  type LoadDeps,
  loadFiles,
} from '#capabilities/datasets/index.ts';
import {
  GALAXY,
  GROUPS,
  NOW_MS,
  PAGE,
  POSTS,
  PRESS,
  WITH_NEWS,
} from '#capabilities/ransomware/claims.fixture.ts';
import { findDefinition, ransomwareRoutes } from '#capabilities/ransomware/index.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, connectPostgres, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT } from './database.ts';
import { recordedGates, testApp } from './http-app.ts';

/** Tests read fields of every answer; the server checks answers against their schemas. */
type AnyAnswer = ReturnType<typeof JSON.parse>;

export type RansomwareRig = {
  readonly app: FastifyInstance;
  readonly system: Postgres;
  readonly clock: { readonly now: () => number; readonly monotonic: () => number };
  /** Moves the clock, which begins at 8 May 2026. */
  readonly moveTo: (ms: number) => void;
  /** Charges of the routes, as the gates saw them. */
  readonly calls: readonly string[];
  readonly deps: LoadDeps;
  readonly definitionOf: (id: string) => DatasetDefinition;
  readonly load: (id: string, content: unknown, given?: Partial<FilesGiven>) => Promise<FilesOutcome>;
  /** Loads the invented posts of two trackers, a later file of posts, groups, a galaxy and articles. */
  readonly loadAll: () => Promise<void>;
  /** Loads the groups of a tracker without any of its posts. */
  readonly loadGroups: () => Promise<unknown>;
  readonly get: (path: string) => Promise<{
    readonly status: number;
    readonly text: string;
    readonly body: AnyAnswer;
    readonly headers: Readonly<Record<string, unknown>>;
  }>;
  readonly close: () => Promise<void>;
};

function definitionOf(id: string): DatasetDefinition {
  const definition = findDefinition(id);
  if (definition === undefined) throw new Error(`There is no data set '${id}'.`);
  return definition;
}

/** The routes of ransomware claims over a database of their own, with the clock at 8 May 2026. */
export async function startRansomwareRig(): Promise<RansomwareRig> {
  const database = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'assay-ransomware-'));
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 };
  const system = asSystem(config);
  const postgres = connectPostgres(config, 'assay_app', PATIENT);
  const moment = { ms: NOW_MS };
  const clock = { now: () => moment.ms, monotonic: () => performance.now() };
  const log = createLog('silent');
  const { gates, calls } = recordedGates();
  const hasLists = { now: false };
  const deps = {
    clock,
    postgres,
    hasRansomwareLists: () => hasLists.now,
    ransomwareListsOf: ({ value }: { readonly value: string }) => (value === '192.0.2.7' ? ['A list'] : []),
    tacticsOf: (id: string) => (id === 'T1566' ? [{ id: 'TA0001', name: 'Initial Access' }] : []),
  };
  const app = testApp(ransomwareRoutes(deps), { gates });
  const loadDeps = { system, clock, log, dataDir: folder };
  const load: RansomwareRig['load'] = async (id, content, given = {}) => {
    const path = join(folder, id);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    const anySize = { ...definitionOf(id), volume: { min: 1, max: 1_000_000 } };
    const paths = { paths: [path], dataAtMs: clock.now(), ...given };
    return loadFiles(loadDeps, anySize, paths);
  };
  return {
    app,
    system,
    clock,
    moveTo: (ms) => {
      moment.ms = ms;
    },
    calls,
    deps: loadDeps,
    definitionOf,
    load,
    loadAll: async () => {
      hasLists.now = true;
      await load('ransomwatch-posts', POSTS);
      await load('ransomposts-latest', PAGE);
      await load('ransomwatch-posts', WITH_NEWS);
      await load('ransomwatch-groups', GROUPS);
      await load('misp-galaxy-ransomware', GALAXY);
      await load('cyberwatch', PRESS);
    },
    loadGroups: () => load('ransomwatch-groups', GROUPS),
    get: async (path) => {
      const response = await app.inject({ method: 'GET', url: path });
      const { statusCode, headers } = response;
      return { status: statusCode, text: response.body, body: response.json(), headers };
    },
    close: async () => {
      await Promise.all([system.close(), postgres.close()]);
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
