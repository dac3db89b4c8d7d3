import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLetters } from '#capabilities/letters/index.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { bySize } from '#test/lane.ts';
import { headerOf, type SmtpPeer, startSmtpPeer } from '#test/peers/smtp-peer.ts';
import { keepResult } from '#test/proof-results.ts';
import { INHERITED_ENV } from '#test/service.ts';

const LETTERS = bySize(40, 1_000);
/** Time from the first letter that a worker sends to its kill. */
const LIFE_MS = bySize(150, 1_000);
const KILLS_MAX = bySize(2, 400);
const CONCURRENCY = 4;

let database: TestDatabase;
let system: Postgres;
let peer: SmtpPeer;
let env: Record<string, string>;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 });
  peer = await startSmtpPeer();
  env = {
    ASSAY_ENV: 'test',
    DATABASE_URL: database.url,
    SMTP_URL: peer.url(),
    MAIL_FROM: 'Assay <no-reply@example.com>',
  };
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await peer?.close();
  await system?.close();
  await database?.drop();
});

async function startWorker(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'letters-child.ts')], {
    env: { ...INHERITED_ENV, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  return child;
}

const waiting = async (): Promise<number> =>
  Number(
    (await sql<{ count: string }>`select count(*) from letter where state = 'waiting'`.execute(system.db))
      .rows[0]?.count,
  );

test('workers that are killed while they send lose no letter; a doubled one has the same Message-ID', async () => {
  const letters = openLetters({ config: loadConfig(env), clock: systemClock() });
  for (let at = 0; at < LETTERS; at += 1)
    await system.transaction((tx) =>
      letters.enqueueLetter(tx, { to: `person${at}@example.org`, kind: 'address-taken', facts: {} }),
    );
  let kills = 0;
  while (kills < KILLS_MAX && (await waiting()) > CONCURRENCY) {
    const before = peer.received.length;
    const child = await startWorker();
    await eventually('it sends', 60_000, () => peer.received.length > before);
    await sleep(LIFE_MS);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    kills += 1;
  }
  expect(kills).toBeGreaterThan(0);
  let last = await startWorker();
  await eventually('all letters are sent', 180_000, async () => {
    // A busy machine may cost a worker its lease; then another one is started, as a supervisor would.
    if (last.exitCode !== null) last = await startWorker();
    return (await waiting()) === 0;
  });
  const times = new Map<string, number>();
  for (const mail of peer.received) {
    const id = headerOf(mail, 'Message-ID') ?? '';
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  const { rows } = await sql<{ id: string }>`select id from letter where state = 'sent'`.execute(system.db);
  expect(rows).toHaveLength(LETTERS);
  expect(new Set(times.keys())).toEqual(new Set(rows.map(({ id }) => `<${id}@example.com>`)));
  expect(new Set(peer.received.map(({ to }) => to[0])).size).toBe(LETTERS);
  const doubled = peer.received.length - LETTERS;
  expect(doubled).toBeLessThanOrEqual((kills + 1) * CONCURRENCY);
  keepResult('letters-killed', { letters: LETTERS, kills, lost: LETTERS - times.size, doubled });
});
