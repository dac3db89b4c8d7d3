import type { SourceSettings } from '#capabilities/corpus/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createTestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { loadList } from '#test/load-list.ts';
import { startService } from '#test/service.ts';
import { openAccounts, type ServiceWithAccount } from '#test/service-accounts.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';
import { FEEDS, loadTrapLists } from './shared-corpus.ts';

export type Answer = Record<string, unknown> & {
  sources: (Record<string, unknown> & { id: string })[];
  infrastructure?: { attributes: string[]; sources: unknown[] };
  riskScore: { score: number; level: string; factors: { name: string; contribution: number }[] };
  evidence: { verdict: string; observedAt: string; recommendedAction: string; reasons: string[] } & Record<
    string,
    unknown
  >;
  dataTrust: { observedAt: string; snapshotId: string } & Record<string, unknown>;
  classification: { primary: string };
};
export type Got = { readonly status: number; readonly headers: Headers; readonly body: Answer };

export type CheckClient = {
  readonly get: (path: string, credential?: string) => Promise<Got>;
  readonly check: (query: string, more?: string) => Promise<Got>;
};
export type CheckService = CheckClient &
  Pick<ServiceWithAccount, 'service' | 'accounts' | 'stop'> & {
    readonly importList: (id: string, values: readonly string[], settings?: SourceSettings) => Promise<void>;
  };
export type SharedCheckService = CheckClient & SharedService;

/** The shared service, whose corpus holds the lists that the traps of the contract need. */
export async function openCheckService(name: string): Promise<SharedCheckService> {
  const shared = await sharedService(name);
  return { ...shared, ...(await openClient(shared)) };
}

/** A separate service with the same lists, for tests that add listings. */
export async function startCheckService(): Promise<CheckService> {
  const database = await createTestDatabase();
  // The tests compare exact usage; a busy machine must not make the service count without Redis.
  const service = await startService({ databaseUrl: database.url, env: { REDIS_TIMEOUT_MS: '5000' } });
  const accounts = openAccounts(service);
  const stop = async () => {
    await accounts.close();
    await service.stop();
    await database.drop();
  };
  const clock = systemClock();
  await loadTrapLists(accounts.system, clock);
  const importList: CheckService['importList'] = async (id, values, settings = {}) => {
    await loadList({ system: accounts.system, clock }, id, values, { dataAtMs: clock.now(), settings });
  };
  return { service, accounts, stop, importList, ...(await openClient({ service, accounts })) };
}

async function openClient({
  service,
  accounts,
}: Pick<SharedService, 'service' | 'accounts'>): Promise<CheckClient> {
  const { credential: enterprise } = await accounts.newAccount('desk@example.com', { plan: 'ENTERPRISE' });
  const get: CheckClient['get'] = async (path, credential = enterprise) => {
    const response = await fetch(`${service.url}${path}`, {
      headers: credential === '' ? {} : { 'X-API-KEY': credential },
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
  };
  const check: CheckClient['check'] = (query, more = '') =>
    get(`/check?query=${encodeURIComponent(query)}${more}`);
  await eventually(
    'the lists are in the replica',
    30_000,
    async () => (await check('http://evil.com/payload.exe')).body.blocklistHits === FEEDS + 1,
  );
  return { get, check };
}

/** The answer without its times, to compare two calls about the same target. */
export function undated({ evidence, dataTrust, ...rest }: Answer): unknown {
  return {
    ...rest,
    evidence: evidence && { ...evidence, observedAt: '' },
    dataTrust: dataTrust && { ...dataTrust, observedAt: '' },
  };
}
