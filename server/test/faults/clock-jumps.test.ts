import { existsSync, globSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { bySize } from '#test/lane.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccount, type ServiceAccounts } from '#test/service-accounts.ts';

/** The clocks of the listener, the replicator and their parent jump; PostgreSQL, Redis and this test keep theirs. */
const JUMPS = bySize(
  ['+1h', '+1d', '-1h', '+0'],
  ['+1h', '+0', '-1h', '+0', '+1d', '-1d', '+1d', '+1h', '-1d', '+0'],
);
const CHECKS_PER_JUMP = bySize(60, 2_000);
/** 40,000 checks take four minutes where other work shares the cores. */
const TIME_MAX_MS = bySize(600_000, 1_800_000);
const CALLERS = 4;
const [LIBRARY = ''] = globSync('/usr/lib/*/faketime/libfaketime.so.1');
const dir = mkdtempSync(join(tmpdir(), 'assay-clock-'));
const offsetFile = join(dir, 'offset');

let database: TestDatabase;
let service: Service;
let accounts: ServiceAccounts;
let account: ServiceAccount;

/** Replaces the offset file by a rename, because libfaketime may read it at any moment. */
function jumpTo(offset: string): void {
  writeFileSync(`${offsetFile}.next`, offset);
  renameSync(`${offsetFile}.next`, offsetFile);
}

beforeAll(async () => {
  jumpTo('+0');
  database = await createTestDatabase();
  service = await startService({
    databaseUrl: database.url,
    env: {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: offsetFile,
      FAKETIME_CACHE_DURATION: '1',
      // Timers and durations use the monotonic clock, which never jumps.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      AUTH_FAILURES_PER_MINUTE: '100000',
    },
  });
  accounts = openAccounts(service);
  account = await accounts.newAccount('clock@example.com', {
    plan: 'ENTERPRISE',
    limits: { burstPerMinute: 1_000_000 },
  });
});
afterAll(async () => {
  await accounts?.close();
  await service?.stop();
  await database?.drop();
  rmSync(dir, { recursive: true, force: true });
  removeSharedMemory();
});

/** libfaketime leaves the shared memory of a process that ends without its exit handlers, as those of the service do. */
function removeSharedMemory(): void {
  for (const path of globSync('/dev/shm/*faketime_s*m_*')) {
    const pid = path.split('_').at(-1);
    if (!existsSync(`/proc/${pid}`)) rmSync(path, { force: true });
  }
}

const check = () =>
  fetch(`${service.url}/check?query=203.0.114.7`, { headers: { 'X-API-KEY': account.credential } });
const clockOfTheService = async () =>
  Date.parse((await fetch(`${service.url}/livez`)).headers.get('date') ?? '');

async function load(count: number, failures: string[]): Promise<void> {
  let sent = 0;
  const caller = async (): Promise<void> => {
    while (sent < count) {
      sent += 1;
      const answer = await check();
      const text = await answer.text();
      const remaining = Number(answer.headers.get('x-ratelimit-remaining') ?? '0');
      if (answer.status !== 200) failures.push(`${answer.status} ${text}`);
      else if (!(remaining >= 0)) failures.push(`remaining ${remaining}`);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

const MS = { h: 3_600_000, d: 86_400_000 } as const;
const msOf = (offset: string): number => {
  const [, sign, figure, unit] = /^([+-])(\d+)([hd]?)$/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * Number(figure) * (unit === 'h' || unit === 'd' ? MS[unit] : 0);
};

test('checks are answered and new keys reach the node while its clock jumps (reliability R3)', {
  timeout: TIME_MAX_MS,
}, async () => {
  const failures: string[] = [];
  for (const offset of JUMPS) {
    const during = load(CHECKS_PER_JUMP, failures);
    jumpTo(offset);
    await during;
    await eventually(`the clock of the service is at ${offset}`, 10_000, async () => {
      const aheadMs = (await clockOfTheService()) - Date.now();
      return Math.abs(aheadMs - msOf(offset)) < 60_000;
    });
    await load(CHECKS_PER_JUMP, failures);
    const guest = await accounts.newAccount(`guest${offset}${performance.now()}@example.com`, {
      plan: 'PRO',
    });
    expect((await fetch(`${service.url}/check`, { headers: { 'X-API-KEY': guest.credential } })).status).toBe(
      200,
    );
  }
  console.log(`figure clock-jumps ${JUMPS.length}`);
  console.log(`figure clock-jump-checks ${2 * JUMPS.length * CHECKS_PER_JUMP}`);
  console.log(`figure clock-jump-failures ${failures.length}`);
  expect(failures).toEqual([]);
});
