import { inject } from 'vitest';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../server/test/support/database.ts';
import { loadList } from '../../../server/test/support/load-list.ts';
import { openAccounts, type ServiceAccounts } from '../../../server/test/support/service-accounts.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { type ServiceAddress, startWebService, type WebServiceOptions } from './web-service.ts';

type ListOptions = NonNullable<Parameters<typeof loadList>[3]['settings']>;

export type Stack = {
  /** The address for browsers: the proxy in front of the service. */
  readonly url: string;
  readonly service: Pick<ServiceAddress, 'url' | 'env'>;
  readonly accounts: ServiceAccounts;
  readonly faults: FaultProxy;
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

/** Without a database the service gets an empty one; without a dashboard, the one built for the test run. */
export type StackOptions = Partial<WebServiceOptions>;

/**
 * The whole service as an operator starts it, with the built dashboard, behind a proxy that can be made to
 * fail.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const database: TestDatabase | null = options.databaseUrl === undefined ? await createTestDatabase() : null;
  const service = await startWebService({
    ...options,
    databaseUrl: options.databaseUrl ?? database?.url ?? '',
    webDir: options.webDir ?? inject('webDir'),
  });
  const stack = await openStack(service);
  return {
    ...stack,
    url: stack.url.replace('127.0.0.1', options.pageHost ?? '127.0.0.1'),
    stop: async () => {
      await stack.stop();
      await service.stop();
      await database?.drop();
    },
  };
}

/** Opens a stack on a running service. Stopping the stack does not stop the service. */
export async function openStack(service: ServiceAddress): Promise<Stack> {
  const accounts = openAccounts(service);
  const faults = await startFaultProxy(service.pagePort, service.url);
  const clock = systemClock();
  return {
    url: faults.url,
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
    },
  };
}
