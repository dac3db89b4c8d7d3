import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorker, enqueue } from '#platform/jobs.ts';
import { createLog } from '#platform/log.ts';
import { createTestAccounts, type TestAccounts } from '#test/accounts.ts';
import { eventually } from '#test/eventually.ts';
import { answerRequest } from './answer-request.ts';
import { accountsWorkerPart } from './jobs.ts';

let t: TestAccounts;
beforeAll(async () => {
  t = await createTestAccounts();
});
afterAll(() => t?.close());

const PASSWORD = 'a sentence of ten words';
const rowsOf = async (table: string): Promise<number> =>
  Number((await t.owner.query(`select count(*) as n from ${table}`)).rows[0].n);

test('the worker answers what was asked by letter, and erases what has ended', async () => {
  const worker = createWorker({
    config: t.config,
    log: createLog('silent'),
    clock: t.clock,
    ...accountsWorkerPart(t.answers),
    concurrency: 2,
    onLeaseLost: () => undefined,
    pollMs: 100,
  });
  try {
    await t.post('/api/auth/register', { email: 'worker@example.com', password: PASSWORD });
    await t.post('/api/auth/register', { email: 'never@example.com', password: PASSWORD });
    await eventually('both are answered', 60_000, async () => (await rowsOf('account_request')) === 0);
    const { token } = await t.newestTo('worker@example.com');
    expect((await t.post('/api/auth/verify', { token, password: PASSWORD })).statusCode).toBe(201);
    await t.post('/api/auth/forgot', { email: 'worker@example.com' });
    await eventually('a token is there', 60_000, async () => (await rowsOf('account_token')) === 1);
    expect(await rowsOf('registration')).toBe(1);
    t.clock.advance(25 * 3_600_000);
    await t.system.transaction((tx) => enqueue(tx, 'accounts.forget', {}));
    await eventually(
      'ended rows are erased',
      60_000,
      async () => (await rowsOf('registration')) + (await rowsOf('account_token')) === 0,
    );
  } finally {
    await worker.stop();
  }
});

test('a request is answered once, however often its job runs', async () => {
  const email = 'twice@example.com';
  await t.post('/api/auth/register', { email, password: PASSWORD });
  const { rows } = await t.owner.query('select id from account_request where email = $1', [email]);
  await Promise.all(
    Array.from({ length: 8 }, () => t.system.transaction((tx) => answerRequest(t.answers, tx, rows[0].id))),
  );
  expect((await t.lettersTo(email)).length).toBe(1);
});
