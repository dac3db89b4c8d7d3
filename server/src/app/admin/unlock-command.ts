import type { Command } from 'commander';
import { type UsedLimit, unlockPerson } from '#capabilities/accounts/index.ts';
import { AddressGuard, METER_LIBRARY } from '#capabilities/metering/index.ts';
import { connectRedis, RedisAway } from '#platform/redis.ts';
import { accountNamed, type Deps, emailOf, type Json, OPERATOR, onSystem, print } from './account-options.ts';
import { type AdminContext, AdminError } from './context.ts';

/** Longer than a request waits: an operator would rather wait than try again. */
const REDIS_TIMEOUT_MS = 2_000;

/** Adds `user unlock`, for a person who cannot sign in because their limits of tries are used up. */
export function addUnlock(user: Command, context: AdminContext): void {
  user
    .command('unlock')
    .description('Let a person sign in again whose limits of sign-in attempts, codes or emails are used up.')
    .requiredOption('--email <address>')
    .option('--json', 'print one JSON document')
    .action((options: Json & { email: string }) =>
      onSystem(context, async (deps) => {
        const email = emailOf(options.email);
        const userId = await accountNamed(deps, { email });
        const limits = await unlock(context, deps, { userId, email });
        const unlocked = limits.some(({ wasUsedUp }) => wasUsedUp);
        print(context, options, { userId, unlocked, limits }, linesOf(userId, limits));
      }),
    );
}

async function unlock(
  { config, log, clock }: AdminContext,
  { postgres }: Deps,
  person: { readonly userId: string; readonly email: string },
): Promise<readonly UsedLimit[]> {
  const redis = await connectRedis({ config: { ...config, REDIS_TIMEOUT_MS }, log, clock });
  try {
    await redis.loadLibrary(METER_LIBRARY);
    const guard = new AddressGuard({ redis, config, clock, shares: () => 1 });
    return await unlockPerson({ system: postgres, clock, config, guard }, OPERATOR, person);
  } catch (error) {
    if (error instanceof RedisAway)
      throw new AdminError(
        'Redis does not respond, and it counts the sign-in attempts. Nothing was changed.',
      );
    throw error;
  } finally {
    redis.close();
  }
}

function linesOf(userId: string, limits: readonly UsedLimit[]): readonly string[] {
  const lineOf = ({ name, used, limit }: UsedLimit) => `  ${name}: ${used} of ${limit} in the last hour`;
  const usedUp = limits.filter(({ wasUsedUp }) => wasUsedUp);
  if (usedUp.length === 0)
    return [
      `${userId} is not locked out: no limit is used up. Nothing was changed.`,
      ...limits.filter(({ used }) => used > 0).map(lineOf),
    ];
  return [
    `Unlocked ${userId}. These limits were used up and are empty now:`,
    ...usedUp.map(lineOf),
    'Whoever used them up can try again as well. Failed sign-ins are in the audit trail of the person.',
  ];
}
