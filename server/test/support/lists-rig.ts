import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Blocklists,
  blocklistsRoutes,
  buildLists,
  type ListEntry,
  type ListName,
  openBlocklists,
} from '#capabilities/blocklists/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import type { Principal } from '#platform/http/principal.ts';
import { asSystem, connectPostgres } from '#platform/postgres.ts';
import { publicationsOf } from '#test/publications.ts';
import { createTestDatabase, PATIENT } from './database.ts';
import { CALLER, capturedLog, recordedGates, testApp } from './http-app.ts';

export const ANONYMOUS: Principal = {
  ...CALLER,
  kind: 'anonymous',
  id: '192.0.2.9',
  accountId: '',
  plan: 'ANONYMOUS',
};

const BUILD_EVERY_MS = 600_000;

/** The shared lists of one node: a test says what is on a list, and who asks for it. */
export async function openListsRig() {
  let nowMs = Date.UTC(2027, 0, 31, 12);
  let version = 0;
  let caller: Principal = CALLER;
  const clock = { now: () => nowMs, monotonic: () => performance.now() };
  const { log } = capturedLog('silent');
  const database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 };
  const [system, postgres] = [asSystem(config), connectPostgres(config, 'assay_app', PATIENT)];
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-lists-'));
  const artifacts = createArtifacts({ postgres, dataDir, log, clock });
  const blocklists: Blocklists = await openBlocklists({
    config: { LIST_MEMORY_MB: 64, DISTRIBUTION: 'public' },
    postgres,
    system,
    artifacts,
    clock,
    log,
    withheld: async () => [],
    allowed: async () => [],
    publications: publicationsOf({ postgres, system }, clock),
  });
  const app = testApp(blocklistsRoutes(blocklists), {
    gates: recordedGates({ identify: () => caller }).gates,
  });
  return {
    /** Makes these the members of a list, in this order, and builds it. */
    put: async (list: ListName, values: readonly string[]): Promise<void> => {
      version += 1;
      nowMs += BUILD_EVERY_MS;
      const entries: readonly ListEntry[] = values.map((value) => ({
        value,
        score: 90,
        family: null,
        reason: 'Listed',
      }));
      const source = {
        entriesOf: async function* () {
          yield entries;
        },
        membershipVersion: async () => String(version),
      };
      const deps = { clock, source, openArtifact: artifacts.openArtifact, transaction: system.transaction };
      const [report] = await buildLists(deps, [list]);
      if (report?.outcome !== 'built') throw new Error(JSON.stringify(report));
      await blocklists.lists.refresh();
    },
    /** The kept renderings of the served version, and whether a caller has asked for each. */
    ready: (list: ListName) =>
      blocklists.renderings.full
        .keptOf(blocklists.lists.find(list)?.path ?? '')
        .map(({ order, isAsked }) => ({ format: order.format, encoding: order.encoding, isAsked })),
    get: (list: string, who: Principal, headers: Record<string, string> = {}) => {
      caller = who;
      return app.inject({ url: `/blocklist/download/${list}`, headers });
    },
    close: async (): Promise<void> => {
      await blocklists.close();
      await Promise.all([system.close(), postgres.close()]);
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
