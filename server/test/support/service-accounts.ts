import {
  createKey,
  createLicence,
  createUser,
  type PlanChange,
  setPlan,
} from '#capabilities/access/index.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { OPERATOR } from './access.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { type Service, startService } from './service.ts';

export type ServiceAccount = { readonly accountId: string; readonly credential: string };

export type ServiceAccounts = {
  readonly system: Postgres;
  /** A user with a key that the service already knows. */
  readonly newAccount: (email: string, plan?: PlanChange) => Promise<ServiceAccount>;
  readonly newLicence: (accountId: string, expiresAtMs: number | null) => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Accounts of a running service, made through the capability: a process per key would take a second each. */
export function openAccounts(service: Service): ServiceAccounts {
  const config = loadConfig(service.env);
  const clock = systemClock(config.CLOCK_OFFSET_MS);
  const system = asSystem({ ...config, POSTGRES_POOL_MAX: 2 });
  const deps = { postgres: system, clock, pepper: createSecrets(config.KEY_PEPPER) };
  const isKnown = async (credential: string) =>
    (await fetch(`${service.url}/check`, { headers: { 'X-API-KEY': credential } })).status !== 401;
  return {
    system,
    newAccount: async (email, plan) => {
      const accountId = await createUser(deps, OPERATOR, email);
      if (plan !== undefined) await setPlan(deps, OPERATOR, accountId, plan);
      const wanted = { accountId, userId: accountId, label: 'test', allowedCidrs: [] };
      const { credential } = await createKey(deps, OPERATOR, wanted);
      await eventually('the key is known', 5_000, () => isKnown(credential));
      return { accountId, credential };
    },
    newLicence: async (accountId, expiresAtMs) =>
      (await createLicence(deps, OPERATOR, { accountId, label: 'test', expiresAtMs })).licence,
    close: () => system.close(),
  };
}

export type ServiceWithAccount = {
  readonly database: TestDatabase;
  readonly service: Service;
  readonly accounts: ServiceAccounts;
  readonly account: ServiceAccount;
  readonly stop: () => Promise<void>;
};

/** A running service on a database of its own, and a PRO account whose key it knows. */
export async function startWithAccount(): Promise<ServiceWithAccount> {
  const database = await createTestDatabase();
  const service = await startService({ databaseUrl: database.url });
  const accounts = openAccounts(service);
  const account = await accounts.newAccount('analyst@example.com', { plan: 'PRO' });
  const stop = async () => {
    await accounts.close();
    await service.stop();
    await database.drop();
  };
  return { database, service, accounts, account, stop };
}
