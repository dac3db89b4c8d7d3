import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PlanChange } from '#capabilities/access/index.ts';
import { sql } from '#platform/postgres.ts';
import { eventually } from '#test/eventually.ts';
import { CALLER } from '#test/http-app.ts';
import { createWebhooksRig, WEBHOOKS_NOW, type WebhooksRig } from '#test/webhooks-rig.ts';
import { openWebhookDesk } from './webhook-desk.ts';

let rig: WebhooksRig;
beforeAll(async () => {
  rig = await createWebhooksRig();
});
afterAll(() => rig?.close());
beforeEach(async () => {
  rig.clock.set(WEBHOOKS_NOW);
  rig.as(CALLER);
  rig.receiver.received.length = 0;
  rig.receiver.answer(() => 204);
  for (const table of [
    'webhook_endpoint',
    'event_outbox',
    'letter',
    'subscription',
    'membership',
    'organization',
  ])
    await sql`delete from ${sql.table(table)}`.execute(rig.system.db);
});
afterEach(() => rig.stopSending());

const OPERATOR = { kind: 'operator', id: 'ann', ip: '', requestId: '' } as const;
const query = async <T>(text: string): Promise<T[]> => (await rig.system.pool.query(text)).rows as T[];
const reasons = async () =>
  (
    await query<{ reason: string | null }>(
      `select disabled_reason as reason from webhook_endpoint where account_id = 'org_01' order by id`,
    )
  ).map(({ reason }) => reason);
const statuses = async () =>
  Object.fromEntries(
    (
      await query<{ status: string; n: number }>(
        'select status, count(*)::int as n from webhook_delivery group by 1',
      )
    ).map(({ status, n }) => [status, n]),
  );
const change = async (to: PlanChange): Promise<void> => {
  await rig.setPlan(to);
  await rig.readPlans();
};
const enable = (id: string) => rig.call('PATCH', `/user/webhooks/${id}`, { enabled: true });

describe('a change of the plan', () => {
  const make = async (count: number) => {
    await rig.setPlan({ plan: 'PRO' });
    const ids: string[] = [];
    for (let at = 0; at < count; at += 1) {
      rig.clock.set(WEBHOOKS_NOW + at);
      ids.push((await rig.create()).id);
    }
    return ids;
  };

  test('to FREE disables every webhook; what waits and what comes is kept as skipped, and owners get one letter', async () => {
    await sql`insert into app_user (id, email, created_at) values ('usr_09', 'owner@example.com', now())
              on conflict do nothing`.execute(rig.system.db);
    await sql`insert into organization (id, name, created_at) values ('org_01', 'Example', now())`.execute(
      rig.system.db,
    );
    await sql`insert into membership (account_id, user_id, role, created_at)
              values ('org_01', 'usr_09', 'OWNER', now())`.execute(rig.system.db);
    const [first = ''] = await make(2);
    await rig.emit(1, 1);
    await change({ plan: 'FREE', status: 'canceled' });
    await rig.emit(2, 2);
    rig.send();
    await rig.settled();
    expect(await reasons()).toEqual(['plan', 'plan']);
    expect(await statuses()).toEqual({ skipped: 4 });
    expect(rig.receiver.received).toEqual([]);
    expect(await query('select kind from letter')).toEqual([{ kind: 'webhooks-over-plan' }]);
    expect(await enable(first)).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/0 enabled webhooks; its plan has 0.*larger plan/) },
    });
    await expect(openWebhookDesk(rig.system, rig.clock).enable(OPERATOR, first)).rejects.toThrow(
      /its plan has 0\. Change its plan first/,
    );
    await change({ plan: 'BASIC', status: 'active' });
    expect(await reasons()).toEqual(['plan', 'plan']);
    expect((await enable(first)).status).toBe(200);
    const span = { since: new Date(WEBHOOKS_NOW - 1_000).toISOString(), status: 'skipped' };
    expect((await rig.call('POST', `/user/webhooks/${first}/replay`, span)).body).toMatchObject({
      deliveries: 2,
    });
    await rig.runReplays();
    await rig.settled();
    expect(await statuses()).toEqual({ delivered: 2, skipped: 2 });
  });

  test('to a smaller one keeps the oldest, and as many can be enabled as it has, also at once', async () => {
    const ids = await make(5);
    expect((await rig.call('PATCH', `/user/webhooks/${ids[0]}`, { enabled: false })).status).toBe(200);
    await change({ plan: 'BASIC' });
    expect(await reasons()).toEqual(['paused', null, null, null, 'plan']);
    expect((await rig.call('PATCH', `/user/webhooks/${ids[1]}`, { enabled: false })).status).toBe(200);
    const answers = await Promise.all([ids[0], ids[1], ids[4]].map((id) => enable(id ?? '')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403, 403]);
    // Enabling a webhook that is already enabled does not count against the plan.
    expect((await enable(ids[2] ?? '')).status).toBe(200);
  });

  test('of limits counts too; one that leaves enough webhooks changes nothing and sends no letter', async () => {
    await make(3);
    await change({ limits: { webhooks: 3 } });
    await change({ plan: 'BASIC', limits: {} });
    await change({ status: 'suspended' });
    expect(await reasons()).toEqual([null, null, null]);
    await change({ status: 'active', limits: { webhooks: 1 } });
    expect(await reasons()).toEqual([null, 'plan', 'plan']);
  });
});

describe('slow receivers', () => {
  /** Holds each request to /slow until `letGo` is called; answers others at once. */
  const holdSlow = () => {
    const held: (() => void)[] = [];
    let ended = 0;
    let open = 0;
    let openMax = 0;
    rig.receiver.answer(async ({ path }, response) => {
      if (path !== '/slow') return 204;
      open += 1;
      openMax = Math.max(openMax, open);
      response.once('close', () => {
        open -= 1;
      });
      await new Promise<void>((resolve) => held.push(resolve));
      ended += 1;
      return 200;
    });
    return {
      ended: () => ended,
      openMax: () => openMax,
      held: () => held.length,
      letGo: () => {
        for (const resolve of held.splice(0)) resolve();
      },
    };
  };
  const at = (path: string) => rig.receiver.received.filter((each) => each.path === path).length;
  const onlyOf = async (accountId: string) =>
    (await query<{ id: string }>(`select id from webhook_endpoint where account_id = '${accountId}'`))[0]
      ?.id ?? '';
  /** One prompt endpoint, and `slowCount` slow ones of another account. */
  const prepare = async (slowCount: number) => {
    const slow = { ...CALLER, accountId: 'org_02', organizationId: 'org_02' };
    await rig.setPlan({ plan: 'ENTERPRISE' }, 'org_02');
    await rig.create(1, { url: rig.receiver.urlOf(1, '/prompt') });
    rig.send();
    await rig.emit(1, 1);
    await rig.settled();
    await rig.stopSending();
    rig.as(slow);
    for (let host = 0; host < slowCount; host += 1)
      await rig.create(host + 1, { url: rig.receiver.urlOf(host + 2, '/slow') });
  };

  test('more of them than places do not delay an endpoint that answers: it is served before any of them ends', async () => {
    await prepare(15);
    const slow = holdSlow();
    await rig.emit(1, 1, 'org_02');
    rig.clock.move(1_000);
    rig.send({ placesMax: 10 });
    await eventually('slow endpoints have their share of the places', 60_000, () => slow.held() >= 4);
    for (const n of [2, 3]) {
      await rig.emit(n, n);
      await eventually('the prompt endpoint is served', 60_000, () => at('/prompt') === n);
    }
    expect([slow.ended(), slow.openMax()]).toEqual([0, 4]);
    await eventually('the others follow', 60_000, () => {
      slow.letGo();
      return slow.ended() === 15;
    });
    await rig.settled();
    expect(await statuses()).toEqual({ delivered: 18 });
  });

  test('an endpoint is prompt while it answers within two seconds by and large, and does not fail', async () => {
    const isPrompt = async () =>
      (await query<{ prompt: boolean }>('select prompt from webhook_endpoint'))[0]?.prompt;
    const took = (ms: number) => sql`update webhook_endpoint set answer_ms = ${ms}`.execute(rig.system.db);
    let n = 0;
    const answered = async () => {
      n += 1;
      await rig.emit(n, n);
      await rig.settled();
      return isPrompt();
    };
    await rig.create();
    expect(await isPrompt()).toBe(false);
    rig.send();
    expect(await answered()).toBe(true);
    // The average after many answers of 10 ms and one of 14 s: a single fast answer does not make it prompt again.
    await took(3_500);
    expect(await answered()).toBe(false);
    await took(2_100);
    expect(await answered()).toBe(true);
    rig.receiver.answer(() => 503);
    expect(await answered()).toBe(false);
    rig.receiver.answer(() => 200);
    rig.clock.move(5_000);
    await rig.settled();
    expect(await isPrompt()).toBe(true);
  });

  test('tests of one account wait for one another and not before those of others; the 21st that waits is 409', async () => {
    await prepare(1);
    const slow = holdSlow();
    const id = await onlyOf('org_02');
    for (let n = 0; n < 20; n += 1)
      expect((await rig.call('POST', `/user/webhooks/${id}/test`, {})).status).toBe(202);
    expect((await rig.call('POST', `/user/webhooks/${id}/test`, {})).status).toBe(409);
    rig.as(CALLER);
    const own = await onlyOf('org_01');
    rig.clock.move(1_000);
    rig.send({ placesMax: 20 });
    await eventually('a test of the slow account is sent', 60_000, () => slow.held() === 1);
    expect((await rig.call('POST', `/user/webhooks/${own}/test`, {})).status).toBe(202);
    await eventually('the test of the other account is sent', 60_000, () => at('/prompt') === 2);
    expect([slow.ended(), slow.openMax()]).toEqual([0, 1]);
    await eventually('the others follow', 60_000, () => {
      slow.letGo();
      return slow.ended() === 20;
    });
  });
});
