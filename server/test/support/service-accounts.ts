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
import { eventually, sleep } from './eventually.ts';
import { type Service, startService } from './service.ts';

export type ServiceAccount = { readonly accountId: string; readonly credential: string };

export type ServiceAccounts = {
  readonly system: Postgres;
  readonly newAccount: (email: string, plan?: PlanChange) => Promise<ServiceAccount>;
  /** A key of the account that is accepted from these addresses only. */
  readonly newBoundKey: (accountId: string, allowedCidrs: readonly string[]) => Promise<string>;
  readonly newLicence: (accountId: string, expiresAtMs: number | null) => Promise<string>;
  readonly close: () => Promise<void>;
};

/**
 * Pause between two tries, because 100 wrong credentials in a minute are refused (AUTH_FAILURES_PER_MINUTE).
 */
const KNOWN_PAUSE_MS = 80;
const KNOWN_WITHIN_MS = 30_000;

/**
 * Accounts of a running service, created through the capability, because a command per key would take a
 * second each. `headers` are added to the calls that wait for a new key.
 */
export function openAccounts(
  service: Pick<Service, 'env' | 'url'>,
  headers: Readonly<Record<string, string>> = {},
): ServiceAccounts {
  const config = loadConfig(service.env);
  const clock = systemClock(config.CLOCK_OFFSET_MS);
  const system = asSystem({ ...config, POSTGRES_POOL_MAX: 2 });
  const deps = { postgres: system, clock, pepper: createSecrets(config.KEY_PEPPER) };
  const isKnown = async (credential: string) => {
    const answer = await fetch(`${service.url}/check`, { headers: { ...headers, 'X-API-KEY': credential } });
    if (!answer.ok) await sleep(KNOWN_PAUSE_MS);
    return answer.ok;
  };
  return {
    system,
    newAccount: async (email, plan) => {
      const accountId = await createUser(deps, OPERATOR, email);
      if (plan !== undefined) await setPlan(deps, OPERATOR, accountId, plan);
      const wanted = { accountId, userId: accountId, label: 'test', allowedCidrs: [] };
      const { credential } = await createKey(deps, OPERATOR, wanted);
      await eventually('the key is known', KNOWN_WITHIN_MS, () => isKnown(credential));
      return { accountId, credential };
    },
    newBoundKey: async (accountId, allowedCidrs) => {
      const wanted = { accountId, userId: accountId, label: 'bound', allowedCidrs: [...allowedCidrs] };
      return (await createKey(deps, OPERATOR, wanted)).credential;
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

/** A running service on its own database, and a PRO account whose key it accepts. */
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
