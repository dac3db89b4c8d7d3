import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#platform/postgres.ts';
import { eventually } from '#test/eventually.ts';
import { CALLER } from '#test/http-app.ts';
import { bySize } from '#test/lane.ts';
import { keepResult } from '#test/proof-results.ts';
import { createWebhooksRig, WEBHOOKS_NOW, type WebhooksRig } from '#test/webhooks-rig.ts';
import { verificationReply, verifyWebhook } from '../../../../sdk/src/webhook.ts';
import { challengeIn } from './verification.ts';

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
  for (const table of ['webhook_endpoint', 'event_outbox', 'subscription'])
    await sql`delete from ${sql.table(table)}`.execute(rig.system.db);
  await rig.setPlan({ plan: 'ENTERPRISE' });
});
afterEach(() => rig.stopSending());

type Body = { readonly type: string; readonly data: { readonly challenge?: string; readonly n?: number } };
const bodies = (): readonly Body[] => rig.receiver.received.map(({ body }) => JSON.parse(body) as Body);
const types = () => bodies().map(({ type }) => type);
const shown = async (id: string) =>
  ((await rig.call('GET', `/user/webhooks/${id}`)).body as { webhook: { verified: boolean } }).webhook;
const newest = async (id: string) =>
  (
    (await rig.call('GET', `/user/webhooks/${id}/deliveries`)).body as {
      deliveries: { event: string; status: string; error: string | null; responseBody: string | null }[];
    }
  ).deliveries[0];
const span = { since: new Date(WEBHOOKS_NOW - 1_000).toISOString(), status: 'skipped' };
/** A receiver that answers as `say` does. */
const answerWith = (say: (body: string) => string) =>
  rig.receiver.answer(({ body }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(say(body));
    return undefined;
  });
const consent = () =>
  answerWith((body) => JSON.stringify({ challenge: (JSON.parse(body) as Body).data.challenge }));

describe('a webhook to a host that has not consented', () => {
  test('sends one signed challenge and no event, whatever the account does', async () => {
    const { id, secret } = await rig.create(1, {}, true);
    const events = bySize(50, 5_000);
    await rig.emit(1, events);
    rig.send();
    await rig.settled();
    expect((await rig.call('POST', `/user/webhooks/${id}/replay`, span)).status).toBe(409);
    const { rows } = await sql<{ id: string }>`
      select id from webhook_delivery where sequence = 1`.execute(rig.system.db);
    const again = await rig.call('POST', `/user/webhooks/${id}/deliveries/${rows[0]?.id}/redeliver`, {});
    expect([again.status, (again.body as { message: string }).message]).toEqual([
      409,
      expect.stringContaining('is not verified'),
    ]);
    await rig.settled();
    keepResult('webhook-consent', { events, requests: rig.receiver.received.length });
    expect(types()).toEqual(['webhook.verification']);
    const { headers, body } = rig.receiver.received[0] as (typeof rig.receiver.received)[0];
    expect(await verifyWebhook({ headers, rawBody: body, secret, now: WEBHOOKS_NOW })).toMatchObject({
      type: 'webhook.verification',
      data: { webhookId: id, challenge: expect.stringMatching(/^[\w-]{32}$/) },
    });
    expect(await shown(id)).toMatchObject({ verified: false, enabled: true });
  });

  test('gets events after it answered with the challenge, and those of before by a replay', async () => {
    const { id, secret } = await rig.create(1, {}, true);
    await rig.emit(1, 2);
    rig.receiver.answer(async ({ headers, body }, response) => {
      const event = await verifyWebhook({ headers, rawBody: body, secret, now: WEBHOOKS_NOW });
      const reply = event === null ? null : verificationReply(event);
      response.writeHead(reply === null ? 204 : 200).end(reply === null ? undefined : JSON.stringify(reply));
      return undefined;
    });
    rig.send();
    await eventually('the webhook is verified', 30_000, async () => (await shown(id)).verified);
    await rig.emit(3, 3);
    await rig.settled();
    expect((await rig.call('POST', `/user/webhooks/${id}/replay`, span)).status).toBe(202);
    await rig.runReplays();
    await rig.settled();
    expect(bodies().map(({ type, data }) => data.n ?? type)).toEqual(['webhook.verification', 3, 1, 2]);
  });

  test('is asked again while it answers without the challenge, five times in all', async () => {
    const { id } = await rig.create(1, {}, true);
    rig.send();
    await rig.settled();
    for (const pauseMs of [30_000, 300_000, 1_800_000, 7_200_000, 86_400_000]) {
      rig.clock.move(pauseMs);
      await rig.settled();
    }
    expect(types()).toEqual(Array(5).fill('webhook.verification'));
    expect(await newest(id)).toMatchObject({
      event: 'webhook.verification',
      status: 'failed',
      error: 'The answer did not contain the challenge.',
    });
  });

  test('has not consented by repeating the request, and the account never sees the challenge', async () => {
    const { id } = await rig.create(1, {}, true);
    answerWith((body) => body);
    rig.send();
    await rig.settled();
    answerWith((body) => JSON.stringify({ json: JSON.parse(body), data: body }));
    rig.clock.move(30_000);
    await rig.settled();
    expect(rig.receiver.received).toHaveLength(2);
    expect(await shown(id)).toMatchObject({ verified: false });
    const challenge = bodies()[0]?.data.challenge ?? '';
    for (const path of ['', '/deliveries'])
      expect(JSON.stringify((await rig.call('GET', `/user/webhooks/${id}${path}`)).body)).not.toContain(
        challenge,
      );
  });
});

describe('a challenge', () => {
  const verify = (id: string, challenge: string) =>
    rig.call('POST', `/user/webhooks/${id}/verify`, { challenge });

  test('that a person reads at the receiver verifies the webhook; an older or expired one is 400', async () => {
    const { id } = await rig.create(1, {}, true);
    rig.send();
    await rig.settled();
    expect(await rig.call('POST', `/user/webhooks/${id}/test`, {})).toMatchObject({
      status: 202,
      body: { delivery: { event: 'webhook.verification', sequence: null } },
    });
    await rig.settled();
    const [older = '', newer = ''] = bodies().map(({ data }) => data.challenge);
    expect((await verify(id, older)).status).toBe(400);
    expect(await verify(id, newer)).toMatchObject({ status: 200, body: { webhook: { verified: true } } });
    expect((await verify(id, 'anything')).status).toBe(200);
    expect(await rig.call('POST', `/user/webhooks/${id}/test`, {})).toMatchObject({
      body: { delivery: { event: 'webhook.test' } },
    });
    const { id: late } = await rig.create(2, {}, true);
    rig.clock.move(86_400_000);
    expect(await verify(late, newer)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('has expired') },
    });
    rig.as({ ...CALLER, accountId: 'org_02', organizationId: 'org_02' });
    expect((await verify(id, newer)).status).toBe(404);
  });

  test.each([
    ['{"challenge":"abcdefghijklmnop"}', 'abcdefghijklmnop'],
    [' abcdefghijklmnop\n', 'abcdefghijklmnop'],
    ['{"type":"webhook.verification","challenge":"abcdefghijklmnop"}', null],
    ['{"data":{"challenge":"abcdefghijklmnop"}}', null],
    ['Thank you! abcdefghijklmnop', null],
    ['{"challenge":1}', null],
    ['null', null],
    ['', null],
  ])('in the answer %s', (text, challenge) => expect(challengeIn(text)).toBe(challenge));
});

test('a host that is verified for the account needs no second challenge; another account and a new host do', async () => {
  const { id } = await rig.create(1, {}, true);
  consent();
  rig.send();
  await eventually('the webhook is verified', 30_000, async () => (await shown(id)).verified);
  const second = await rig.create(1, { url: rig.receiver.urlOf(1, '/second') }, true);
  expect((await shown(second.id)).verified).toBe(true);
  rig.as({ ...CALLER, accountId: 'org_02', organizationId: 'org_02' });
  await rig.setPlan({ plan: 'ENTERPRISE' }, 'org_02');
  const foreign = await rig.create(1, {}, true);
  expect((await shown(foreign.id)).verified).toBe(false);
  rig.as(CALLER);
  await rig.settled();
  await rig.stopSending();
  rig.receiver.received.length = 0;
  await rig.emit(1, 1);
  const moved = await rig.call('PATCH', `/user/webhooks/${second.id}`, { url: rig.receiver.urlOf(2) });
  expect(moved).toMatchObject({ status: 200, body: { webhook: { verified: false } } });
  const back = await rig.call('PATCH', `/user/webhooks/${id}`, { url: rig.receiver.urlOf(1, '/other') });
  expect(back).toMatchObject({ status: 200, body: { webhook: { verified: true } } });
  answerWith(() => '{}');
  rig.send();
  await rig.settled();
  expect(
    rig.receiver.received.filter(({ body }) => body.includes('alert.created')).map(({ path }) => path),
  ).toEqual(['/other']);
});

test('429: an account asks few new hosts in an hour for their consent', async () => {
  const statuses: number[] = [];
  rig.as({ ...CALLER, accountId: 'org_03', organizationId: 'org_03' });
  await rig.setPlan({ plan: 'ENTERPRISE' }, 'org_03');
  rig.limitVerifications(3);
  try {
    for (let host = 1; host <= 5; host += 1) {
      const body = { url: rig.receiver.urlOf(host), events: ['*'] };
      statuses.push((await rig.call('POST', '/user/webhooks', body)).status);
    }
  } finally {
    rig.limitVerifications(1_000);
  }
  expect(statuses).toEqual([201, 201, 201, 429, 429]);
});

test('one host gets one request at a time of an account, however many webhooks lead to it', async () => {
  const endpoints = bySize(8, 50);
  for (let nth = 0; nth < endpoints; nth += 1) await rig.create(1, { url: rig.receiver.urlOf(1, `/${nth}`) });
  const open = { now: 0, most: 0 };
  rig.receiver.answer(async () => {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    await new Promise((resolve) => setTimeout(resolve, 20));
    open.now -= 1;
    return 204;
  });
  await rig.emit(1, 2);
  rig.send();
  await rig.settled();
  keepResult('webhook-lane-of-host', { endpoints, atOnce: open.most });
  expect(rig.receiver.received).toHaveLength(2 * endpoints);
  expect(open.most).toBe(1);
});
