import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '#platform/migrate.ts';
import { ACCOUNT_WRITES_ENV, type AccountWrite, AccountWriter } from '#test/account-writes.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { bySize } from '#test/lane.ts';
import { headerOf, type SmtpPeer, startSmtpPeer } from '#test/peers/smtp-peer.ts';
import { type PostgresServer, startPostgresServer } from '#test/postgres-server.ts';
import { keepResult } from '#test/proof-results.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { INHERITED_ENV, type Service, startService } from '#test/service.ts';
import { findWrongAccountWrites } from '#test/wrong-account-writes.ts';

const MAIN = join(import.meta.dirname, '../../src/app/main.ts');
const WRITES = bySize(150, 5_000);
const WRITERS = bySize(3, 12);
/** Each round kills one listener, the worker and the whole of PostgreSQL. */
const ROUNDS = bySize(1, 7);
/** A quarter of an hour on two quiet cores. */
const TEST_MS = 2 * 3_600_000;

let postgres: PostgresServer;
let service: Service;
let peer: SmtpPeer;
let worker: ChildProcess;
let isStopping = false;
const random = seededRandom('accounts-killed');

beforeAll(async () => {
  postgres = await startPostgresServer({ isDurable: true });
  const databaseUrl = postgres.url('assay');
  await migrate(databaseUrl);
  peer = await startSmtpPeer();
  service = await startService({
    databaseUrl,
    processes: bySize(1, 2),
    env: {
      ...ACCOUNT_WRITES_ENV,
      SMTP_URL: peer.url(),
      MAIL_FROM: 'Assay <no-reply@example.com>',
    },
  });
  startWorker();
});
afterAll(async () => {
  isStopping = true;
  worker?.kill('SIGKILL');
  await service?.stop();
  await peer?.close();
  await postgres?.stop();
});

/** A worker that ends is followed by another, as under a supervisor. */
function startWorker(): void {
  worker = spawn(process.execPath, [MAIN, 'worker'], {
    env: { ...INHERITED_ENV, ...service.env, METRICS_PORT: '0', FEEDS_ENABLED: 'false' },
    stdio: 'ignore',
  });
  worker.once('exit', () => {
    if (!isStopping) startWorker();
  });
}

const KILLS: readonly (() => Promise<void>)[] = [
  async () => {
    const pids = service.listenerPids();
    const pid = pids[Math.floor(random() * pids.length)];
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  },
  async () => {
    const gone = once(worker, 'exit');
    worker.kill('SIGKILL');
    await gone;
  },
  async () => {
    await postgres.kill();
    await sleep(random() * 500);
    await postgres.restart();
  },
];

test('no acknowledged write of an account is lost or done twice while the API, the worker and PostgreSQL are killed (reliability D1, D2, D3)', {
  timeout: TEST_MS,
}, async () => {
  const writers = Array.from(
    { length: WRITERS },
    (_, nth) => new AccountWriter(`writer${nth}`, service.url, () => peer.received),
  );
  const writes = (): AccountWrite[] => writers.flatMap((writer) => writer.writes);
  const acknowledged = (): number => writes().filter(({ isKnown }) => isKnown).length;
  const running = Promise.all(writers.map((writer) => writer.run(() => acknowledged() >= WRITES)));
  const kills = Array.from({ length: ROUNDS }, () => KILLS).flat();
  const killing = (async () => {
    for (const [nth, kill] of kills.entries()) {
      const due = Math.floor(((nth + random()) * WRITES) / (kills.length + 1));
      await eventually(`${due} writes before kill ${nth}`, TEST_MS, () => acknowledged() >= due);
      await kill();
    }
  })();
  await Promise.all([running, killing]);
  const client = new pg.Client({ connectionString: postgres.url('assay') });
  await client.connect();
  await eventually('every request is answered and every letter is sent', 900_000, async () => {
    const { rows } = await client.query<{ left: number }>(
      `select (select count(*) from account_request)::int + (select count(*) from letter where state = 'waiting')::int as left`,
    );
    return rows[0]?.left === 0;
  });
  const { rows: letters } = await client.query<{ id: string }>('select id from letter');
  const ids = peer.received.map((mail) => headerOf(mail, 'Message-ID'));
  const { lost, doubled } = await findWrongAccountWrites(client, writes(), peer.received);
  await expectFound(client, writes());
  await client.end();
  keepResult('accounts-killed', {
    acknowledged: acknowledged(),
    withoutAnswer: writes().length - acknowledged(),
    kills: kills.length,
    lost: lost.length,
    doubled: doubled.length,
    letters: letters.length,
    lettersLost: letters.length - new Set(ids).size,
    lettersRepeated: ids.length - new Set(ids).size,
  });
  expect(acknowledged()).toBeGreaterThanOrEqual(WRITES);
  expect(new Set(writes().map(({ kind }) => kind)).size).toBe(11);
  expect(lost).toEqual([]);
  expect(doubled).toEqual([]);
  expect(new Set(ids)).toEqual(new Set(letters.map(({ id }) => `<${id}@example.com>`)));
});

/** The judge itself: a write that never was is found as lost in every kind, and one that was sent less often as doubled. */
async function expectFound(client: pg.Client, writes: readonly AccountWrite[]): Promise<void> {
  const kinds = [...new Set(writes.map(({ kind }) => kind))];
  const never = kinds.map((kind) => ({ kind, target: 'never', isKnown: true }));
  const { lost } = await findWrongAccountWrites(client, never, peer.received);
  for (const kind of kinds) expect(lost.some((each) => each.includes(`${kind} never`))).toBe(true);
  const role = writes.findIndex(({ kind, isKnown }) => kind === 'role' && isKnown);
  const { doubled } = await findWrongAccountWrites(client, writes.toSpliced(role, 1), peer.received);
  expect(doubled).toHaveLength(1);
}
