import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registry } from '#platform/metrics.ts';
import { createTestAccess, FROM_DASHBOARD, type TestAccess } from '#test/access.ts';

/** Cookies that this service did not issue must cost PostgreSQL nothing, or one address stops every session. */
let t: TestAccess;
let user: string;
beforeAll(async () => {
  t = await createTestAccess();
  user = await t.newUser('analyst@example.com', { plan: 'PRO' });
});
afterAll(() => t?.close());

/** Ten times the 670 forged cookies a second that made every third request of a real session answer 503. */
const FORGED = 6_700;
const AT_ONCE = 100;
const FROM = '198.51.100.7';

const random = () => randomBytes(32).toString('base64url');
const FORMS = [
  () => random(),
  () => `${random()}.1.${random()}`,
  () => 'x',
  () => `${random()}.9.${random()}`,
];
const forged = (i: number) => `__Secure-sid=${FORMS[i % FORMS.length]?.()}`;
const probe = async (cookie: string, url = '/probe') =>
  (await t.app.inject({ url, headers: { ...FROM_DASHBOARD, cookie }, remoteAddress: FROM })).statusCode;

async function statements(): Promise<number> {
  const metric = await registry.getSingleMetric('assay_postgres_queries_total')?.get();
  return metric?.values.find(({ labels }) => labels.role === 'assay_app')?.value ?? 0;
}
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const before = await statements();
  await work();
  return (await statements()) - before;
}

test(`${FORGED} forged cookies from the address of a real session cost PostgreSQL no statement, and the session is answered each time`, async () => {
  const cookie = await t.newCookie(user);
  const perProbe = await statementsOf(() => probe(cookie));
  expect(perProbe).toBeGreaterThan(0);
  const real: number[] = [];
  const refused = new Set<number>();
  const added = await statementsOf(async () => {
    for (let sent = 0; sent < FORGED; sent += AT_ONCE) {
      const answers = Array.from({ length: AT_ONCE }, (_, i) =>
        probe(forged(i), i % 10 === 0 ? '/api/probe' : '/probe'),
      );
      real.push(await probe(cookie));
      for (const status of await Promise.all(answers)) refused.add(status);
    }
  });
  expect(real).toEqual(real.map(() => 200));
  expect(refused).toEqual(new Set([401, 429]));
  expect(added).toBe(perProbe * real.length);
});

test('a genuine cookie whose session has ended is looked up once, however often it is sent', async () => {
  const cookie = await t.newCookie(user);
  const signOut = { method: 'DELETE', url: '/api/auth/session' } as const;
  await t.app.inject({ ...signOut, headers: { ...FROM_DASHBOARD, cookie } });
  expect(await statementsOf(() => probe(cookie))).toBeGreaterThan(0);
  const answers: number[] = [];
  const again = await statementsOf(async () => {
    for (let i = 0; i < 50; i += 1) answers.push(await probe(cookie));
  });
  expect(again).toBe(0);
  expect(new Set(answers).has(200)).toBe(false);
});
