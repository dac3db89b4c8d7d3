import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLetters } from '#capabilities/letters/index.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually, freePort, sleep } from '#test/eventually.ts';
import { bySize } from '#test/lane.ts';
import {
  headerOf,
  type ReceivedMail,
  type SmtpMode,
  startSilentPeer,
  startSmtpPeer,
} from '#test/peers/smtp-peer.ts';
import { keepResult } from '#test/proof-results.ts';
import { INHERITED_ENV } from '#test/service.ts';

/** Wall time: the pauses between two tries are those of production, and no clock is moved. */
const OUTAGE_MS = bySize(60_000, 3_600_000);
const LETTER_EVERY_MS = bySize(500, 3_000);
/** The pause of a worker is at most five minutes, and a letter that was tried often waits for half an hour. */
const DRAINED_WITHIN_MS = bySize(120_000, 40 * 60_000);
const TEST_MS = OUTAGE_MS + DRAINED_WITHIN_MS + 300_000;
const WORKERS = 2;
const CHILD = join(import.meta.dirname, '../faults/letters-child.ts');

let database: TestDatabase;
let system: Postgres;
let port: number;
let env: Record<string, string>;
let isStopping = false;
const workers = new Set<ChildProcess>();
const received: ReceivedMail[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 });
  port = await freePort();
  env = {
    ASSAY_ENV: 'test',
    DATABASE_URL: database.url,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'Assay <no-reply@example.com>',
  };
});
afterAll(async () => {
  isStopping = true;
  for (const worker of workers) worker.kill('SIGKILL');
  await system?.close();
  await database?.drop();
});

/** A worker that is killed, or that lost its lease, is followed by another, as under a supervisor. */
function startWorker(): void {
  const child = spawn(process.execPath, [CHILD], {
    env: { ...INHERITED_ENV, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  workers.add(child);
  child.once('exit', () => {
    workers.delete(child);
    if (!isStopping) setTimeout(startWorker, 1_000);
  });
}

async function withPeer(mode: SmtpMode, during: () => Promise<void>): Promise<void> {
  const peer = await startSmtpPeer({ port });
  peer.mode = mode;
  await during();
  await peer.close();
  received.push(...peer.received);
}

/** What the server does in each sixth of the outage. */
const FAULTS: readonly ((during: () => Promise<void>) => Promise<void>)[] = [
  // Nothing listens.
  (during) => during(),
  async (during) => {
    const silent = await startSilentPeer('', port);
    await during();
    await silent.close();
  },
  (during) => withPeer({ at: 'sender', code: 421, text: 'Closing' }, during),
  (during) => withPeer({ at: 'recipient', code: 451, text: 'Come back' }, during),
  (during) => withPeer('cut', during),
  (during) => during(),
];

type Counted = { readonly state: string; readonly letters: number; readonly tries: number };
const letters = async (): Promise<readonly Counted[]> =>
  (
    await sql<Counted>`
      select state, count(*)::int as letters, sum(attempts)::int as tries from letter group by state`.execute(
      system.db,
    )
  ).rows;

test('a mail server that refuses, hangs and breaks for an hour loses no letter; a doubled one has the same Message-ID', {
  timeout: TEST_MS,
}, async () => {
  const written = openLetters({ config: loadConfig(env), clock: systemClock() });
  for (let at = 0; at < WORKERS; at += 1) startWorker();
  let count = 0;
  const writeUntil = async (endsMs: number): Promise<void> => {
    while (performance.now() < endsMs) {
      const to = `person${count}@example.org`;
      await system.transaction((tx) => written.enqueueLetter(tx, { to, kind: 'address-taken', facts: {} }));
      count += 1;
      await sleep(LETTER_EVERY_MS);
    }
  };
  for (const fault of FAULTS) {
    await fault(() => writeUntil(performance.now() + OUTAGE_MS / FAULTS.length));
    // Also kills a worker, which loses the pause that it keeps in memory.
    [...workers][0]?.kill('SIGKILL');
  }
  const sentBefore = new Set(received.map((mail) => headerOf(mail, 'Message-ID'))).size;
  const triesBefore = (await letters()).reduce((sum, { tries }) => sum + tries, 0);
  let drainedMs = 0;
  await withPeer('accept', async () => {
    drainedMs = await eventually('all letters are sent', DRAINED_WITHIN_MS, async () => {
      await sleep(500);
      return (await letters()).every(({ state }) => state === 'sent');
    });
  });
  const { rows } = await sql<{ id: string }>`select id from letter where state = 'sent'`.execute(system.db);
  const ids = received.map((mail) => headerOf(mail, 'Message-ID'));
  keepResult('letters-outage', {
    outageMinutes: OUTAGE_MS / 60_000,
    letters: count,
    triesInTheOutage: triesBefore,
    cutAfterTheText: sentBefore,
    lost: count - new Set(ids).size,
    doubledWithTheSameMessageId: ids.length - new Set(ids).size,
    drainedSeconds: drainedMs / 1_000,
  });
  expect(rows).toHaveLength(count);
  expect(new Set(ids)).toEqual(new Set(rows.map(({ id }) => `<${id}@example.com>`)));
  expect(new Set(received.map(({ to }) => to[0])).size).toBe(count);
});
