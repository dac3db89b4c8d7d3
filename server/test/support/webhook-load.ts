import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import { newSecret, sealSecret } from '#capabilities/webhooks/sign-delivery.ts';
import { insertEndpoint } from '#capabilities/webhooks/store.ts';
import { loadConfig } from '#platform/config.ts';
import { emitAll, eventType } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import type { Postgres } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { INHERITED_ENV } from './service.ts';

const Numbered = eventType({
  name: 'alert.created',
  schema: z.object({ n: z.int(), atMs: z.number(), filler: z.string() }),
});
/** Makes an event as long as a real alert, which has some 400 characters with its title, value and reason. */
const FILLER = 'x'.repeat(320);

export type Endpoint = { readonly id: string; readonly accountId: string; readonly secret: string };

export const accountOf = (at: number): string => `org_${String(at).padStart(6, '0')}`;

/** Writes one endpoint for each URL and account to the database, without the URL check of the route. */
export async function putEndpoints(system: Postgres, urls: readonly string[]): Promise<readonly Endpoint[]> {
  const secrets = createSecrets(loadConfig({}).SECRET_KEY);
  const nowMs = Date.now();
  const made: Endpoint[] = [];
  for (const [at, url] of urls.entries()) {
    const [id, secret, accountId] = [newId('whk', nowMs), newSecret(), accountOf(at)];
    const sealed = sealSecret(secrets, id, secret);
    const consented = { host: new URL(url).hostname, verifiedAtMs: nowMs };
    const asked = { description: null, events: ['*'], enabled: true };
    const row = { id, accountId, url, ...asked, ...consented, secret: sealed };
    await insertEndpoint(system.db, row, nowMs);
    made.push({ id, accountId, secret });
  }
  return made;
}

/** Emits all these events in one transaction. */
export const emitNumbered = (
  system: Postgres,
  events: readonly { readonly accountId: string; readonly n: number }[],
): Promise<void> =>
  system.transaction((tx) =>
    emitAll(
      tx,
      events.map(({ accountId, n }) => ({
        type: Numbered,
        accountId,
        payload: { n, atMs: Date.now(), filler: FILLER },
        occurredAt: new Date(),
      })),
    ),
  );

/** Starts a process that sends webhooks, and returns when it is ready. */
export async function startSending(
  env: Readonly<Record<string, string>>,
  retryMs?: readonly number[],
): Promise<ChildProcess> {
  const args = retryMs === undefined ? [] : ['--retry', retryMs.join(',')];
  const child = fork(join(import.meta.dirname, 'webhooks-child.ts'), args, {
    env: { ...INHERITED_ENV, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error('The sending process ended before it was ready.');
  });
  // A test may kill the process later, when no start waits for it: that rejection must not be unhandled.
  ended.catch(() => undefined);
  await Promise.race([once(child, 'message'), ended]);
  return child;
}

export type Used = { readonly cpuS: number; readonly rssMb: number };
export async function usedBy(child: ChildProcess): Promise<Used> {
  child.send('used');
  const [{ cpu, rss }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage; rss: number }];
  return { cpuS: (cpu.user + cpu.system) / 1e6, rssMb: rss / 1048576 };
}

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};
