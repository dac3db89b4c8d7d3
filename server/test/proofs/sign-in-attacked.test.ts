import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '#capabilities/access/index.ts';
import { systemClock } from '#platform/clock.ts';
import { OPERATOR } from '#test/access.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { bySize } from '#test/lane.ts';
import { keepResult } from '#test/proof-results.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccounts } from '#test/service-accounts.ts';
import type { Attack, Person } from '../../../attack/attack.ts';
import { signInLockout } from '../../../attack/sign-in-lockout.ts';
import { signInStorm } from '../../../attack/sign-in-storm.ts';
import { createHasher } from '../../src/capabilities/accounts/hash-password.ts';

/** Attacks on signing in at full strength, against a whole service with the limits that it ships with. */
const PEOPLE = bySize(10, 200);
/** Half of the email addresses of the storm have an account. */
const STORM_PEOPLE = 100;
const PASSWORD = 'a sentence of ten words';

let database: TestDatabase;
let service: Service;
let accounts: ServiceAccounts;
const people: Person[] = Array.from({ length: PEOPLE }, (_, nth) => ({
  email: `person${nth}@example.com`,
  password: PASSWORD,
}));

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({
    databaseUrl: database.url,
    env: {
      POSTGRES_POOL_MAX: '10',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'no-reply@example.com',
      // Long, because without Redis each process counts its share and no count is exact.
      REDIS_TIMEOUT_MS: '5000',
    },
  });
  accounts = openAccounts(service);
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  const turn = { lane: 'open', group: 'test', signal: new AbortController().signal } as const;
  const phc = await createHasher(systemClock()).hash(PASSWORD, turn);
  const stormed = Array.from({ length: STORM_PEOPLE }, (_, nth) => `storm${2 * nth}@example.com`);
  for (const email of [...people.map((person) => person.email), ...stormed]) {
    const userId = await createUser({ postgres: accounts.system, clock: systemClock() }, OPERATOR, email);
    await owner.query('insert into user_password (user_id, phc, changed_at) values ($1, $2, now())', [
      userId,
      phc,
    ]);
  }
  await owner.end();
});
afterAll(async () => {
  await accounts?.close();
  await service?.stop();
  await database?.drop();
});

async function run(attack: Attack, who: readonly Person[], strength: number) {
  const result = await attack.run({
    url: service.url,
    bystanderKey: '',
    attackerKey: '',
    strength,
    people: who,
  });
  keepResult(
    attack.name,
    Object.fromEntries(
      Object.entries(result.figures).map(([figure, value]) => [figure.replaceAll(' ', '-'), value]),
    ),
  );
  return result;
}

async function metric(name: string, lane: string): Promise<number> {
  const page = await (await fetch(service.metricsUrl)).text();
  const line = page
    .split('\n')
    .find((each) => each.startsWith(`${name}{`) && each.includes(`lane="${lane}"`));
  return Number(line?.split(' ').at(-1) ?? 0);
}

test('beside a storm from 400 networks every known device signs in at the first free thread, and new devices do', async () => {
  const { held, figures } = await run(signInStorm, people, 1);
  const waited = await metric('assay_password_hashes_waited_for_total', 'proven');
  keepResult('sign-in-storm', { 'hashes-that-a-known-device-waited-for': waited });
  expect(figures['known devices answered 200']).toBe(figures['known devices sent']);
  expect(figures['new devices answered 200']).toBeGreaterThanOrEqual(95);
  expect(waited).toBe(0);
  expect(held).toBe(true);
});

test('10,000 wrong passwords from 200 networks leave the owner able to confirm, sign in, reset and revoke a key', async () => {
  const [last] = people.slice(-1);
  const { held, figures } = await run(signInLockout, last === undefined ? [] : [last], bySize(0.1, 1));
  expect(figures).toMatchObject({
    'owner confirms': 200,
    'owner signs in': 200,
    'owner resets': 200,
    'owner makes a key': 201,
    'owner revokes a key': 204,
  });
  expect(held).toBe(true);
});
