import type { Command } from 'commander';
import { z } from 'zod';
import type { Actor } from '#capabilities/access/index.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { createSecrets, type Secrets } from '#platform/secrets.ts';
import { type AdminContext, AdminError } from './context.ts';

export const OPERATOR: Actor = { kind: 'operator', id: 'admin', ip: '', requestId: '' };

export type Deps = {
  readonly postgres: Postgres;
  readonly clock: AdminContext['clock'];
  readonly pepper: Secrets;
};
export type Json = { readonly json?: boolean };
export type Account = { readonly account?: string; readonly email?: string; readonly org?: string };

export async function onSystem<T>(context: AdminContext, work: (deps: Deps) => Promise<T>): Promise<T> {
  const postgres = asSystem({ ...context.config, POSTGRES_POOL_MAX: 2 });
  try {
    const pepper = createSecrets(context.config.KEY_PEPPER);
    return await work({ postgres, clock: context.clock, pepper });
  } finally {
    await postgres.close();
  }
}

export const withAccountOptions = (command: Command): Command =>
  command
    .option('--account <id>', 'usr_… or org_…')
    .option('--email <address>', 'the account of this user')
    .option('--org <name>', 'the account of this organization, by name or id');

export const accountOf = ({ account, email, org }: Account): Account => ({
  ...(account !== undefined && { account }),
  ...(email !== undefined && { email: emailOf(email) }),
  ...(org !== undefined && { org }),
});

export async function accountNamed(deps: Deps, options: Account): Promise<string> {
  const named = accountOf(options);
  const names = Object.values(named);
  if (names.length !== 1) throw new AdminError('Name one account: --account, --email or --org.');
  // Loaded when an account is named: most topics need nothing else of this capability.
  const { findAccount } = await import('#capabilities/access/index.ts');
  const accountId = await findAccount(deps, named);
  if (accountId === undefined) throw new AdminError(`There is no account '${names[0]}'.`);
  return accountId;
}

export function print(
  context: AdminContext,
  options: Json,
  document: unknown,
  lines: readonly string[],
): void {
  if (options.json === true) context.json(document);
  else for (const line of lines) context.out(line);
}

export function emailOf(text: string): string {
  const email = text.trim().toLowerCase();
  if (!z.email().max(254).safeParse(email).success)
    throw new AdminError(`'${text}' is not an e-mail address.`);
  return email;
}
