import { openJudge } from '../../server/src/app/open-judge.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { buildPublished, scoreIndicators } from './build-published.ts';
import { publishToday } from './publish-today.ts';
import { type Account, seedAccount } from './seed-account.ts';
import { seedClaims } from './seed-claims.ts';
import { seedKnownVulnerabilities, seedNewVulnerabilities } from './seed-vulnerabilities.ts';
import { raiseAlerts, watchValues } from './seed-watchlist.ts';
import { seedWebhook } from './seed-webhook.ts';
import { seedCases, seedFindings, seedIndicators, seedInventory } from './seed-work.ts';
import type { Seeding } from './seeding.ts';

/** A replica of the sample takes seconds; this is for a machine that is busy with other work. */
const REPLICA_WAIT_MS = 600_000;

/** Loads everything that needs the database alone: data sets and the work of an organization. */
export async function seedRecords(seeding: Seeding): Promise<Account> {
  const { onProgress, signal } = seeding;
  const account = await seedAccount(seeding);
  const { by } = account;
  const parts = [
    ['vulnerabilities', () => seedKnownVulnerabilities(seeding)],
    ['the inventory', () => seedInventory(seeding, by)],
    ['new vulnerabilities', () => seedNewVulnerabilities(seeding)],
    ['findings', () => seedFindings(seeding)],
    ['ransomware claims', () => seedClaims(seeding)],
    ['indicators', () => seedIndicators(seeding, by)],
    ['cases', () => seedCases(seeding, by)],
  ] as const;
  for (const [what, seed] of parts) {
    signal.throwIfAborted();
    onProgress(`Loading ${what}`);
    await seed();
  }
  return account;
}

/**
 * Does what the worker does in its first ten minutes, and needs a replica: scores, shared lists, collections, the address
 * database and alerts. The API of this data folder must run, because it builds the replica; the worker must not.
 */
export async function seedPublished(seeding: Seeding, by: Account['by']): Promise<void> {
  const { system, config, log, signal, onProgress } = seeding;
  onProgress('Waiting for the replica');
  const judge = await openJudge({
    postgres: system,
    dataDir: config.DATA_DIR,
    log,
    clock: systemClock(),
    waitMs: REPLICA_WAIT_MS,
  });
  const parts = [
    ['Scoring indicators', () => scoreIndicators(seeding, judge)],
    ['Watching values', () => watchValues(seeding, by, judge)],
    ['Fetching the lists of today', () => publishToday(seeding)],
    ['Raising alerts', () => raiseAlerts(seeding, by, judge)],
    ['Scoring what changed', () => scoreIndicators(seeding, judge)],
    ['Building the blocklists', () => buildPublished(seeding, judge)],
    ['Sending webhooks', () => seedWebhook(seeding, by)],
  ] as const;
  try {
    for (const [doing, seed] of parts) {
      signal.throwIfAborted();
      onProgress(doing);
      await seed();
    }
  } finally {
    await judge.close();
  }
}
