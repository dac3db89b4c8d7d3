import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { WEBHOOK_EVENTS } from '#domain/webhooks/index.ts';
import { sql } from '#platform/postgres.ts';
import { CALLER } from '#test/http-app.ts';
import { createWebhooksRig, WEBHOOKS_NOW, type WebhooksRig } from '#test/webhooks-rig.ts';
import { webhooksRoutes } from './routes.ts';

let rig: WebhooksRig;
beforeAll(async () => {
  rig = await createWebhooksRig();
});
afterAll(() => rig?.close());
beforeEach(async () => {
  rig.clock.set(WEBHOOKS_NOW);
  rig.as(CALLER);
  await sql`delete from webhook_endpoint`.execute(rig.system.db);
  await rig.setPlan({ plan: 'PRO', status: 'active', limits: {} });
});

const OTHER = { ...CALLER, accountId: 'org_02', organizationId: 'org_02' };

test('200: every event of the contract is described, with an example body and the signature', async () => {
  const { status, body } = await rig.call('GET', '/user/webhooks/events');
  const { data } = body as {
    data: { events: { name: string; example: { type: string } }[]; signature: object };
  };
  expect(status).toBe(200);
  expect(data.events.map(({ name }) => name)).toEqual([...WEBHOOK_EVENTS]);
  expect(data.events.every(({ name, example }) => example.type === name)).toBe(true);
  expect(data.signature).toMatchObject({ scheme: 'standard-webhooks', algorithm: 'HMAC-SHA256' });
});

test('201, 200, 204: a webhook is made, read, changed and deleted; its secret is shown once and stored sealed', async () => {
  const { id, secret } = await rig.create(1, {
    description: 'Tickets',
    events: ['alert.created', 'alert.created'],
  });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const shown = {
    id,
    url: rig.receiver.urlOf(1),
    description: 'Tickets',
    events: ['alert.created'],
    enabled: true,
    verified: true,
    disabledReason: null,
    createdAt: new Date(WEBHOOKS_NOW).toISOString(),
    updatedAt: new Date(WEBHOOKS_NOW).toISOString(),
    lastDeliveryAt: null,
    lastStatus: null,
    failureCount: 0,
  };
  expect(await rig.call('GET', `/user/webhooks/${id}`)).toEqual({ status: 200, body: { webhook: shown } });
  expect(await rig.call('GET', '/user/webhooks')).toEqual({ status: 200, body: { webhooks: [shown] } });
  const { rows } = await sql<{ stored: string }>`
    select encode(secret, 'escape') as stored from webhook_endpoint`.execute(rig.system.db);
  expect(rows[0]?.stored).not.toContain(secret.slice(6));
  const changed = await rig.call('PATCH', `/user/webhooks/${id}`, { enabled: false, events: ['*'] });
  expect(changed.body).toMatchObject({
    webhook: { enabled: false, disabledReason: 'paused', events: ['*'] },
  });
  expect((await rig.call('DELETE', `/user/webhooks/${id}`)).status).toBe(204);
  expect((await rig.call('GET', `/user/webhooks/${id}`)).status).toBe(404);
});

test.each([
  ['an unknown event', { url: 'https://8.8.8.8/', events: ['alert.creatd'] }],
  ['no event', { url: 'https://8.8.8.8/', events: [] }],
  ['http', { url: 'http://8.8.8.8/', events: ['*'] }],
  ['the metadata address', { url: 'https://169.254.169.254/', events: ['*'] }],
  ['another spelling of loopback', { url: 'https://2130706433/', events: ['*'] }],
  ['a private address', { url: 'https://10.0.0.1/', events: ['*'] }],
  ['IPv6 loopback', { url: 'https://[::1]/', events: ['*'] }],
  ['a name of this machine', { url: 'https://x.localhost/', events: ['*'] }],
  ['user and password', { url: 'https://a:b@8.8.8.8/', events: ['*'] }],
  ['another port', { url: 'https://8.8.8.8:22/', events: ['*'] }],
  ['no URL', { url: 'here', events: ['*'] }],
])('400: %s', async (_what, body) => {
  expect((await rig.call('POST', '/user/webhooks', body)).status).toBe(400);
  const { id } = await rig.create();
  const { url, events } = body;
  const change = events.length === 0 || events[0] !== '*' ? { events } : { url };
  expect((await rig.call('PATCH', `/user/webhooks/${id}`, change)).status).toBe(400);
});

test('403: no more webhooks than the plan has, also when they are made at once', async () => {
  await rig.setPlan({ plan: 'BASIC' });
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      rig.call('POST', '/user/webhooks', { url: rig.receiver.urlOf(1), events: ['*'] }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 201, 403, 403, 403]);
});

test('404: a webhook of another account, on every route', async () => {
  const { id } = await rig.create();
  await rig.emit(1, 1);
  const { rows } = await sql<{ id: string }>`select id from webhook_delivery`.execute(rig.system.db);
  rig.as(OTHER);
  const span = { since: new Date(WEBHOOKS_NOW - 1_000).toISOString(), status: 'delivered' };
  const path = `/user/webhooks/${id}`;
  for (const [method, url, body] of [
    ['GET', path, undefined],
    ['PATCH', path, { enabled: false }],
    ['DELETE', path, undefined],
    ['POST', `${path}/rotate-secret`, {}],
    ['POST', `${path}/test`, {}],
    ['POST', `${path}/verify`, { challenge: 'of another account' }],
    ['GET', `${path}/deliveries`, undefined],
    ['POST', `${path}/deliveries/${rows[0]?.id}/redeliver`, {}],
    ['POST', `${path}/replay`, span],
  ] as const)
    expect([method, url, (await rig.call(method, url, body)).status]).toEqual([method, url, 404]);
  expect((await rig.call('GET', '/user/webhooks')).body).toEqual({ webhooks: [] });
  await expect(
    rig.postgres.withAccount('org_02', (tx) =>
      sql`update webhook_endpoint set account_id = 'org_02' where id = ${id}`.execute(tx),
    ),
  ).resolves.toMatchObject({ numAffectedRows: 0n });
});

test('every route but the list of events needs BASIC; a viewer changes nothing; replay is an extension', () => {
  const routes = webhooksRoutes({} as never);
  const open = routes.filter(({ policy }) => policy.plan === 'any').map(({ path }) => path);
  expect(open).toEqual(['/user/webhooks/events']);
  for (const { method, policy } of routes)
    expect(policy.role).toEqual(method === 'GET' ? undefined : ['OWNER', 'ADMIN', 'MEMBER']);
  expect(routes.filter(({ policy }) => policy.extension).map(({ path }) => path)).toEqual([
    '/user/webhooks/:id/verify',
    '/user/webhooks/:id/replay',
  ]);
});

test('400: a replay needs a time of the last 7 days, and an end after its start', async () => {
  const { id } = await rig.create();
  const at = (ms: number) => new Date(WEBHOOKS_NOW + ms).toISOString();
  for (const body of [
    { since: at(1_000), status: 'failed' },
    { since: at(-1_000), until: at(-2_000), status: 'failed' },
    { since: at(-1_000), status: 'all' },
    { since: 'yesterday', status: 'failed' },
  ])
    expect((await rig.call('POST', `/user/webhooks/${id}/replay`, body)).status).toBe(400);
});
