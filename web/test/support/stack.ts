import { inject } from 'vitest';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../server/test/support/database.ts';
import { freePort } from '../../../server/test/support/eventually.ts';
import { loadList } from '../../../server/test/support/load-list.ts';
import { type Service, startService } from '../../../server/test/support/service.ts';
import { openAccounts, type ServiceAccounts } from '../../../server/test/support/service-accounts.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

type ListOptions = NonNullable<Parameters<typeof loadList>[3]['settings']>;

export type Stack = {
  /** What a browser opens: the proxy in front of the service. */
  readonly url: string;
  readonly service: Service;
  readonly accounts: ServiceAccounts;
  readonly faults: FaultProxy;
  /** A key pair that can sign in. */
  readonly newPair: (
    email: string,
    plan?: 'FREE' | 'BASIC' | 'PRO' | 'ENTERPRISE',
  ) => Promise<{ apiKey: string; apiSecret: string }>;
  readonly list: (
    id: string,
    values: readonly string[],
    settings?: ListOptions,
    ageHours?: number,
  ) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type StackOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** A database that is already filled; it is left alone in the end. */
  readonly databaseUrl?: string;
  /** Keeps the anonymous limits as they are shipped. */
  readonly realLimits?: boolean;
  /** False: the service may still be loading what it knows. */
  readonly waitReady?: boolean;
  /** A dashboard that is built already, where no test run has built one. */
  readonly webDir?: string;
};

/** The whole service as an operator starts it, with the built dashboard, behind a hop that can be made to fail. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const database: TestDatabase | null = options.databaseUrl === undefined ? await createTestDatabase() : null;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await startService({
    databaseUrl: options.databaseUrl ?? database?.url ?? '',
    waitReady: options.waitReady ?? true,
    env: {
      WEB_DIR: options.webDir ?? inject('webDir'),
      PUBLIC_WEB_URL: url,
      ...(options.realLimits === true ? {} : { ANON_PER_HOUR: '100000', ANON_PER_MONTH: '1000000' }),
      ...options.env,
    },
  });
  const [accounts, faults] = [openAccounts(service), await startFaultProxy(port, service.url)];
  const clock = systemClock();
  return {
    url,
    service,
    accounts,
    faults,
    newPair: async (email, plan = 'PRO') => {
      const { credential } = await accounts.newAccount(email, { plan });
      const [apiKey = '', apiSecret = ''] = Buffer.from(credential, 'base64').toString().split(':');
      return { apiKey, apiSecret };
    },
    list: async (id, values, settings = {}, ageHours = 0) => {
      const dataAtMs = clock.now() - ageHours * 3_600_000;
      await loadList({ system: accounts.system, clock }, id, values, { dataAtMs, settings });
    },
    stop: async () => {
      await faults.close();
      await accounts.close();
      await service.stop();
      await database?.drop();
    },
  };
}
