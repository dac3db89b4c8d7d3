import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '#platform/postgres.ts';
import { keepResult } from '#test/proof-results.ts';
import { createWebhooksRig, WEBHOOKS_NOW, type WebhooksRig } from '#test/webhooks-rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Times after its event at which the first message of an outage is tried: the sums of the published pauses. */
const PUBLISHED_MS = [0, 5, 305, 2_105, 9_305, 27_305, 63_305, 113_705, 185_705, 272_105].map(
  (s) => s * 1_000,
);
const EVENT_EVERY_MS = 30 * MINUTE_MS;
const DISABLED_AFTER_MS = 120 * HOUR_MS;

let rig: WebhooksRig;
beforeAll(async () => {
  rig = await createWebhooksRig();
  await sql`insert into app_user (id, email, created_at) values ('usr_09', 'owner@example.com', now())`.execute(
    rig.system.db,
  );
  await sql`insert into organization (id, name, created_at) values ('org_01', 'Example', now())`.execute(
    rig.system.db,
  );
  await sql`insert into membership (account_id, user_id, role, created_at) values ('org_01', 'usr_09', 'OWNER', now())`.execute(
    rig.system.db,
  );
});
afterAll(() => rig?.close());
beforeEach(async () => {
  rig.clock.set(WEBHOOKS_NOW);
  rig.receiver.received.length = 0;
  for (const table of ['webhook_endpoint', 'event_outbox', 'letter'])
    await sql`delete from ${sql.table(table)}`.execute(rig.system.db);
});
afterEach(() => rig.stopSending());

/** The next time at which something happens: an event, an attempt, or the end of the outage. */
async function nextAttemptMs(): Promise<number> {
  const { rows } = await sql<{ at: number | null }>`
    select min(extract(epoch from lane_at)) * 1000 as at from webhook_endpoint`.execute(rig.system.db);
  return rows[0]?.at === null ? Number.POSITIVE_INFINITY : Number(rows[0]?.at);
}

const numbers = () =>
  rig.receiver.received.map(({ body }) => (JSON.parse(body) as { data: { n: number } }).data.n);

/** Writes an event every half hour while nothing answers; returns when each attempt came, and when it was disabled. */
async function outage(
  lengthMs: number,
): Promise<{ id: string; attempts: number[]; events: number; disabledAtMs: number | null }> {
  const { id } = await rig.create();
  rig.receiver.answer((_received, response) => {
    response.destroy();
    return undefined;
  });
  rig.send();
  const attempts: number[] = [];
  let disabledAtMs: number | null = null;
  let events = 0;
  const endMs = WEBHOOKS_NOW + lengthMs;
  for (let eventMs = WEBHOOKS_NOW; rig.clock.now() < endMs; ) {
    if (rig.clock.now() >= eventMs) {
      events += 1;
      await rig.emit(events, events);
      eventMs += EVENT_EVERY_MS;
    }
    const before = rig.receiver.received.length;
    await rig.settled();
    if (rig.receiver.received.length > before) attempts.push(rig.clock.now() - WEBHOOKS_NOW);
    await rig.endFailing();
    const { rows } = await sql`select 1 from webhook_endpoint where not enabled`.execute(rig.system.db);
    if (rows.length > 0) disabledAtMs ??= rig.clock.now() - WEBHOOKS_NOW;
    const minuteMs =
      rig.clock.now() +
      (disabledAtMs === null && rig.clock.now() - WEBHOOKS_NOW > DISABLED_AFTER_MS - HOUR_MS
        ? MINUTE_MS
        : HOUR_MS);
    rig.clock.set(
      Math.min(endMs, eventMs, minuteMs, Math.max(rig.clock.now() + 1, Math.ceil(await nextAttemptMs()))),
    );
  }
  return { id, attempts, events, disabledAtMs };
}

/** Expects each attempt within a second of its published time, because the rig adds no jitter. */
const expectPublished = (attempts: readonly number[], lengthMs: number) => {
  const due = PUBLISHED_MS.filter((ms) => ms < lengthMs);
  expect(attempts.slice(0, due.length).map((ms, at) => Math.abs(ms - (due[at] ?? 0)) < 1_000)).toEqual(
    due.map(() => true),
  );
};

test.each([
  ['6 hours', 6 * HOUR_MS],
  ['3 days', 3 * DAY_MS],
])(
  'a receiver that is down for %s gets everything in order, and was tried at the published times',
  async (name, lengthMs) => {
    const { attempts, events, disabledAtMs } = await outage(lengthMs);
    expectPublished(attempts, lengthMs);
    expect(disabledAtMs).toBeNull();
    rig.receiver.received.length = 0;
    rig.receiver.answer(() => 204);
    rig.clock.set(Math.ceil(await nextAttemptMs()));
    await rig.settled();
    expect(numbers()).toEqual(Array.from({ length: events }, (_, at) => at + 1));
    keepResult(`webhooks-outage-${name.replace(' ', '-')}`, {
      attempts: attempts.length,
      events,
      missing: 0,
    });
  },
  600_000,
);

test('a receiver that is down for 6 days is disabled at 120 h with a letter, and gets everything in order by a replay', async () => {
  const { id, attempts, events, disabledAtMs } = await outage(6 * DAY_MS);
  expectPublished(attempts, 6 * DAY_MS);
  expect(disabledAtMs).toBeGreaterThanOrEqual(DISABLED_AFTER_MS);
  expect(disabledAtMs).toBeLessThan(DISABLED_AFTER_MS + 2 * MINUTE_MS);
  const { rows } = await sql`select kind from letter`.execute(rig.system.db);
  expect(rows).toEqual([{ kind: 'webhook-disabled' }]);
  rig.receiver.received.length = 0;
  rig.receiver.answer(() => 204);
  expect((await rig.call('PATCH', `/user/webhooks/${id}`, { enabled: true })).status).toBe(200);
  await rig.settled();
  expect(numbers()).toEqual([]);
  const replayed = await rig.call('POST', `/user/webhooks/${id}/replay`, {
    since: new Date(WEBHOOKS_NOW).toISOString(),
    status: 'undelivered',
  });
  expect(replayed).toMatchObject({ status: 202, body: { deliveries: events } });
  await rig.runReplays();
  await rig.settled();
  expect(numbers()).toEqual(Array.from({ length: events }, (_, at) => at + 1));
  keepResult('webhooks-outage-6-days', {
    attempts: attempts.length,
    events,
    missing: 0,
    disabledAfterHours: (disabledAtMs ?? 0) / HOUR_MS,
  });
}, 600_000);
