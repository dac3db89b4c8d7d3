import { Command } from 'commander';
import { CATALOGUE } from '#capabilities/catalogue/index.ts';
import { type PipelineDeps, readRebaseMs } from '#capabilities/feeds/index.ts';
import { createOutbound } from '#platform/outbound.ts';
import { asSystem, isPostgresAway, requestLimits } from '#platform/postgres.ts';
import { egressOf } from '../egress.ts';
import { publisherKeyOf } from '../publisher-key.ts';
import type { AdminContext } from './context.ts';
import { importCommands } from './feeds-import.ts';
import { listCommands } from './feeds-list.ts';
import { manifestCommand } from './feeds-manifest.ts';
import { reviewCommands } from './feeds-review.ts';
import { runCommands } from './feeds-run.ts';
import type { FeedsShell } from './feeds-shell.ts';

export function feedsCommands(context: AdminContext): Command[] {
  const shell = feedsShell(context);
  const feeds = new Command('feeds').description('Sources and the lists they publish.');
  const commands = [
    ...listCommands(shell),
    ...importCommands(shell),
    manifestCommand(shell),
    ...runCommands(shell),
    ...reviewCommands(shell),
  ];
  for (const command of commands) feeds.addCommand(command);
  return [feeds];
}

export const feedsShell = (context: AdminContext): FeedsShell => ({
  context,
  on: (work) => onDeployment(context, work),
});

async function onDeployment(
  context: AdminContext,
  work: (deps: PipelineDeps) => Promise<void>,
): Promise<void> {
  const { config, clock, log } = context;
  const system = asSystem(config);
  const outbound = createOutbound({ log, clock, ...egressOf(config) });
  try {
    await work({
      system,
      clock,
      log,
      outbound,
      dataDir: config.DATA_DIR,
      catalogue: CATALOGUE,
      keys: (env) => publisherKeyOf(config, env),
    });
  } finally {
    await outbound.close();
    await system.close();
  }
}

/** By how much `--rebase` moved the dates of imported lists; null when PostgreSQL is unreachable or not set up. */
export async function movedDatesMs(context: Pick<AdminContext, 'config'>): Promise<number | null> {
  const system = asSystem({ ...context.config, POSTGRES_POOL_MAX: 1 }, requestLimits(context.config));
  try {
    return await readRebaseMs(system.db);
  } catch (error) {
    // The replica can be described without PostgreSQL, and before the first migration.
    if (isPostgresAway(error) || (error as { code?: unknown }).code === '42P01') return null;
    throw error;
  } finally {
    await system.close();
  }
}
