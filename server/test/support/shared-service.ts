import { inject } from 'vitest';
import { openAccounts, type ServiceAccount, type ServiceAccounts } from './service-accounts.ts';
import type { SharedParts } from './shared-service-host.ts';

declare module 'vitest' {
  interface ProvidedContext {
    sharedServiceHost: string;
  }
}

export type SharedService = {
  readonly service: Omit<SharedParts, 'address'>;
  /** Accounts of this test file; their e-mail addresses contain its name, so that files cannot collide. */
  readonly accounts: ServiceAccounts;
  /** A PRO account whose key the service accepts. */
  readonly account: ServiceAccount;
  /** For calls without credentials, which are limited by address. */
  readonly fromHere: { readonly 'X-Forwarded-For': string };
  readonly stop: () => Promise<void>;
};

/**
 * The service that all contract tests share, with the accounts of this file. Its corpus is
 * `contract/shared-corpus.ts` and never changes; a test that loads lists, counts the whole corpus or needs
 * other settings starts its own service.
 */
export async function sharedService(name: string): Promise<SharedService> {
  const answer = await fetch(inject('sharedServiceHost'));
  if (!answer.ok) throw new Error(`The shared service did not start: ${await answer.text()}`);
  const { address, ...service } = (await answer.json()) as SharedParts;
  const fromHere = { 'X-Forwarded-For': address };
  const opened = openAccounts(service, fromHere);
  const accounts: ServiceAccounts = {
    ...opened,
    newAccount: (email, plan) => opened.newAccount(`${name}.${email}`, plan),
  };
  const account = await accounts.newAccount('analyst@example.com', { plan: 'PRO' });
  return { service, accounts, account, fromHere, stop: accounts.close };
}
