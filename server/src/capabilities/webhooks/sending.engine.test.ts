import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#platform/ids.ts';
import { sql } from '#platform/postgres.ts';
import { eventually } from '#test/eventually.ts';
import { CALLER } from '#test/http-app.ts';
import type { Received } from '#test/webhook-receiver.ts';
import { createWebhooksRig, WEBHOOKS_NOW, type WebhooksRig } from '#test/webhooks-rig.ts';
import { insertDeliveries } from './delivery-store.ts';
import { endGone } from './end-endpoint.ts';
import { advanceLanes, lockListening } from './lane-store.ts';

const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;
/** The pauses between the attempts of one delivery, without jitter. */
const PAUSES_MS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((s) => s * SECOND_MS);

let rig: WebhooksRig;
beforeAll(async () => {
  rig = await createWebhooksRig();
});
afterAll(() => rig?.close());
beforeEach(async () => {
  rig.clock.set(WEBHOOKS_NOW);
  rig.receiver.received.length = 0;
  rig.receiver.answer(() => 204);
  for (const table of [
    'webhook_endpoint',
    'event_outbox',
    'letter',
    'membership',
    'organization',
    'app_user',
  ])
    await sql`delete from ${sql.table(table)}`.execute(rig.system.db);
});
afterEach(() => rig.stopSending());

const bodyOf = ({ body }: Received) =>
  JSON.parse(body) as { type: string; sequence?: number; outOfOrder?: boolean; data: { n: number } };
const numbers = () => rig.receiver.received.map((each) => bodyOf(each).data.n);
const delivered = async () => {
  const { rows } = await sql<{ status: string; n: number }>`
    select status, count(*)::int as n from webhook_delivery group by status order by status`.execute(
    rig.system.db,
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
};
const deliveriesOf = async (id: string, query = '') =>
  (
    (await rig.call('GET', `/user/webhooks/${id}/deliveries?limit=100${query}`)).body as {
      deliveries: {
        id: string;
        status: string;
        outOfOrder: boolean;
        attempts: number;
        error: string | null;
      }[];
    }
  ).deliveries;

test('events of the account are sent in order, numbered without gaps, and the library of the standard verifies them', async () => {
  const { secret } = await rig.create();
  await rig.emit(1, 5);
  await rig.emit(1, 3, 'org_02');
  rig.send();
  await rig.settled();
  expect(numbers()).toEqual([1, 2, 3, 4, 5]);
  expect(rig.receiver.received.map((each) => bodyOf(each).sequence)).toEqual([1, 2, 3, 4, 5]);
  // The library compares timestamps with the machine's clock, which must differ from the clock of the rig.
  const drift = Math.floor(Date.now() / 1_000) - WEBHOOKS_NOW / 1_000;
  expect(Math.abs(drift)).toBeGreaterThan(300);
  for (const { body, headers } of rig.receiver.received)
    expect(() => new Webhook(secret).verify(body, headers)).toThrow(/timestamp/i);
  rig.clock.set(Date.now());
  await rig.emit(6, 6);
  await rig.settled();
  const { body, headers } = rig.receiver.received.at(-1) as Received;
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'alert.created', data: { n: 6 } });
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow(/signature/i);
});

test('while a secret is rotated both verify; a day later only the new one', async () => {
  rig.clock.set(Date.now());
  const { id, secret } = await rig.create();
  const rotated = await rig.call('POST', `/user/webhooks/${id}/rotate-secret`, {});
  const fresh = (rotated.body as { secret: string }).secret;
  await rig.emit(1, 1);
  rig.send();
  await rig.settled();
  const [first] = rig.receiver.received as [Received];
  for (const each of [secret, fresh]) new Webhook(each).verify(first.body, first.headers);
  await sql`update webhook_endpoint set older_until = now() - interval '1 second'`.execute(rig.system.db);
  await rig.emit(2, 2);
  await rig.settled();
  const second = rig.receiver.received[1] as Received;
  new Webhook(fresh).verify(second.body, second.headers);
  expect(() => new Webhook(secret).verify(second.body, second.headers)).toThrow(/signature/i);
});

test('a failing endpoint holds its lane at the published times, keeps the id, and goes on in order', async () => {
  await rig.create();
  rig.receiver.answer(() => 503);
  await rig.emit(1, 3);
  rig.send();
  await rig.settled();
  const times = [rig.clock.now()];
  for (const pause of PAUSES_MS.slice(0, 4)) {
    const seen = rig.receiver.received.length;
    rig.clock.move(pause - SECOND_MS);
    await rig.settled();
    expect(rig.receiver.received).toHaveLength(seen);
    rig.clock.move(SECOND_MS);
    await rig.settled();
    expect(rig.receiver.received).toHaveLength(seen + 1);
    times.push(rig.clock.now());
  }
  expect(numbers()).toEqual([1, 1, 1, 1, 1]);
  expect(new Set(rig.receiver.received.map(({ id }) => id)).size).toBe(1);
  expect(rig.receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']) * 1_000)).toEqual(
    times,
  );
  rig.receiver.answer(() => 200);
  rig.clock.move(PAUSES_MS[4] ?? 0);
  await rig.settled();
  expect(numbers().slice(5)).toEqual([1, 2, 3]);
});

test('Retry-After is honoured', async () => {
  await rig.create();
  rig.receiver.answer((_received, response) => {
    response.writeHead(429, { 'retry-after': '600' }).end();
    return undefined;
  });
  await rig.emit(1, 1);
  rig.send();
  await rig.settled();
  rig.clock.move(599 * SECOND_MS);
  await rig.settled();
  expect(rig.receiver.received).toHaveLength(1);
  rig.clock.move(SECOND_MS);
  await rig.settled();
  expect(rig.receiver.received).toHaveLength(2);
});

test('a message that is refused alone is parked out of order, and the lane goes on', async () => {
  const { id } = await rig.create();
  rig.receiver.answer((received) => (bodyOf(received).data.n === 2 ? 422 : 200));
  await rig.emit(1, 4);
  rig.send();
  await rig.settled();
  for (let more = 0; more < 2; more += 1) {
    rig.clock.move(5 * SECOND_MS);
    await rig.settled();
  }
  expect(numbers()).toEqual([1, 2, 2, 2, 3, 4]);
  expect((await deliveriesOf(id, '&status=parked')).map(({ outOfOrder }) => outOfOrder)).toEqual([true]);
  rig.receiver.answer(() => 200);
  rig.clock.move(300 * SECOND_MS);
  await rig.settled();
  const last = rig.receiver.received.at(-1) as Received;
  expect(bodyOf(last)).toMatchObject({ sequence: 2, outOfOrder: true, data: { n: 2 } });
  expect(await delivered()).toEqual({ delivered: 4 });
});

test('410 disables the endpoint with a letter; its events are kept as skipped and replayed in order', async () => {
  await sql`insert into app_user (id, email, created_at) values ('usr_09', 'owner@example.com', now())`.execute(
    rig.system.db,
  );
  await sql`insert into organization (id, name, created_at) values ('org_01', 'Example', now())`.execute(
    rig.system.db,
  );
  await sql`insert into membership (account_id, user_id, role, created_at) values ('org_01', 'usr_09', 'OWNER', now())`.execute(
    rig.system.db,
  );
  const { id } = await rig.create();
  rig.receiver.answer(() => 410);
  await rig.emit(1, 2);
  rig.send();
  await rig.settled();
  expect((await rig.call('GET', `/user/webhooks/${id}`)).body).toMatchObject({
    webhook: { enabled: false, disabledReason: 'gone', lastStatus: 410 },
  });
  await rig.emit(3, 3);
  expect(await delivered()).toEqual({ skipped: 3 });
  const { rows } = await sql`select kind from letter`.execute(rig.system.db);
  expect(rows).toEqual([{ kind: 'webhook-disabled' }]);
  const span = { since: new Date(WEBHOOKS_NOW - HOUR_MS).toISOString(), status: 'undelivered' };
  expect((await rig.call('POST', `/user/webhooks/${id}/replay`, span)).status).toBe(409);
  rig.receiver.answer(() => 200);
  expect((await rig.call('PATCH', `/user/webhooks/${id}`, { enabled: true })).status).toBe(200);
  expect(await rig.call('POST', `/user/webhooks/${id}/replay`, span)).toMatchObject({
    status: 202,
    body: { deliveries: 3, status: 'queued' },
  });
  await rig.emit(4, 4);
  rig.receiver.received.length = 0;
  expect(await rig.runReplays()).toBe(1);
  await rig.settled();
  expect(numbers()).toContain(4);
  expect(numbers().filter((n) => n < 4)).toEqual([1, 2, 3]);
});

test('an endpoint with nothing but failures for 120 hours is disabled', async () => {
  const { id } = await rig.create();
  rig.receiver.answer(() => 500);
  await rig.emit(1, 1);
  rig.send();
  await rig.settled();
  rig.clock.move(120 * HOUR_MS - 1);
  await rig.endFailing();
  expect((await rig.call('GET', `/user/webhooks/${id}`)).body).toMatchObject({ webhook: { enabled: true } });
  rig.clock.move(1);
  await rig.endFailing();
  expect((await rig.call('GET', `/user/webhooks/${id}`)).body).toMatchObject({
    webhook: { enabled: false, disabledReason: 'failing' },
  });
  rig.clock.move(168 * HOUR_MS);
  await rig.forget();
  expect(await delivered()).toEqual({});
});

test('a redirect is not followed and an answer of many megabytes is cut; both cost no other endpoint', async () => {
  const { id } = await rig.create(1, { url: rig.receiver.urlOf(1, '/moved') });
  const big = await rig.create(2, { url: rig.receiver.urlOf(2, '/big') });
  rig.receiver.answer((received, response) => {
    if (received.path === '/moved') response.writeHead(302, { location: '/elsewhere' }).end();
    else response.writeHead(200).end(Buffer.alloc(8 * 1024 * 1024, 'x\u0000'));
    return undefined;
  });
  await rig.emit(1, 1);
  rig.send();
  await rig.settled();
  expect(rig.receiver.received.map(({ path }) => path).sort()).toEqual(['/big', '/moved']);
  expect((await deliveriesOf(id))[0]).toMatchObject({ status: 'pending', responseStatus: 302 });
  const [cut] = await deliveriesOf(big.id);
  expect(cut).toMatchObject({ status: 'delivered', responseStatus: 200 });
  expect((cut as unknown as { responseBody: string }).responseBody).toMatch(/^x{1,1024}$/);
});

test('what all accounts are told is sent only where it is watched', async () => {
  await rig.create();
  const claim = { id: 'rcl_1', victim: 'Example', group: 'g', domain: 'example.com' };
  const write = () =>
    sql`insert into event_outbox (type, payload) values ('ransomware.claim', ${JSON.stringify(claim)}::jsonb)`.execute(
      rig.system.db,
    );
  await write();
  await rig.read();
  expect(await delivered()).toEqual({});
  rig.watched.of = (subject) =>
    subject.kind === 'claim' && subject.domain === 'example.com' ? ['org_01'] : [];
  await write();
  await rig.read();
  rig.watched.of = () => [];
  expect(await delivered()).toEqual({ pending: 1 });
});

test('a test is sent at once, also to a disabled endpoint; a delivery can be sent again under its id', async () => {
  const { id } = await rig.create(1, { enabled: false });
  expect((await rig.call('POST', `/user/webhooks/${id}/test`, {})).status).toBe(202);
  rig.send();
  await rig.settled();
  const [first] = rig.receiver.received as [Received];
  expect(bodyOf(first)).toMatchObject({ type: 'webhook.test' });
  const again = await rig.call('POST', `/user/webhooks/${id}/deliveries/${first.id}/redeliver`, {});
  expect(again).toMatchObject({ status: 202, body: { delivery: { id: first.id, status: 'pending' } } });
  await rig.settled();
  expect(rig.receiver.received.map((each) => each.id)).toEqual([first.id, first.id]);
});

test('an endpoint that is disabled while its events are written keeps none of them waiting', async () => {
  const { id } = await rig.create();
  const { accountId } = CALLER;
  const letters = { enqueueLetter: async () => undefined, canSendLetters: false };
  let disabling: Promise<boolean> | undefined;
  await rig.system.transaction(async (tx) => {
    await lockListening(tx, [accountId]);
    disabling = endGone(
      { clock: rig.clock, letters, postgres: rig.system },
      { endpointId: id, accountId, url: rig.receiver.urlOf(1) },
    );
    await eventually('it waits for the writer', 30_000, async () => {
      const { rows } = await sql`
        select 1 from pg_locks join pg_stat_activity using (pid)
         where not granted and datname = current_database()`.execute(rig.system.db);
      return rows.length > 0;
    });
    const delivery = { id: newId('dlv', WEBHOOKS_NOW), accountId, endpointId: id, event: 'alert.created' };
    await insertDeliveries(tx, [{ ...delivery, sequence: 1, body: '{}', status: 'pending' }], WEBHOOKS_NOW);
    await advanceLanes(tx, [{ id, nextSequence: 2 }], WEBHOOKS_NOW);
  });
  expect(await disabling).toBe(true);
  expect(await delivered()).toEqual({ skipped: 1 });
});
