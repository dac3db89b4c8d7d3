import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/postgres.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { keepResult } from '#test/proof-results.ts';
import { accountOf, emitNumbered, percentile, putEndpoints } from '#test/webhook-load.ts';
import { openWebhookProof, type WebhookProofRig } from '#test/webhook-proof-rig.ts';

const SLOW = 600;
const SLOW_MS = 14_000;
const GOOD = 20;
const ROUNDS = 30;
const ROUND_MS = 1_000;
const P99_MAX_MS = 2_000;
const SLOW_PLACES = 200;
/** Slow endpoints share hosts; the good ones have hosts of their own. */
const SLOW_HOSTS = 200;

let rig: WebhookProofRig;
beforeAll(async () => {
  rig = await openWebhookProof('webhooks-slow');
});
afterAll(() => rig?.close());

test('600 receivers that answer 200 after 14 s do not slow 20 others, and get their events too', async () => {
  const { system, receiver } = rig;
  const lags: number[] = [];
  let heldNow = 0;
  let heldMax = 0;
  receiver.answer(async ({ path, body, atMs }, response) => {
    if (path.startsWith('/slow')) {
      heldNow += 1;
      heldMax = Math.max(heldMax, heldNow);
      // `close` also comes when the sender gave up before the answer.
      response.once('close', () => {
        heldNow -= 1;
      });
      await sleep(SLOW_MS);
      return 200;
    }
    lags.push(atMs - (JSON.parse(body) as { data: { atMs: number } }).data.atMs);
    return 204;
  });
  const urls = [
    ...Array.from({ length: GOOD }, (_, at) => receiver.urlOf(SLOW_HOSTS + at + 1, `/good/${at}`)),
    ...Array.from({ length: SLOW }, (_, at) => receiver.urlOf((at % SLOW_HOSTS) + 1, `/slow/${at}`)),
  ];
  await putEndpoints(system, urls);
  await rig.send();
  const goodOnes = urls.slice(0, GOOD).map((_, at) => accountOf(at));
  const tellGood = (n: number) =>
    emitNumbered(
      system,
      goodOnes.map((accountId) => ({ accountId, n })),
    );
  let n = 0;
  await eventually('the good ones are known to answer soon', 120_000, async () => {
    n += 1;
    await tellGood(n);
    await sleep(ROUND_MS);
    const { rows } = await sql`select 1 from webhook_endpoint where prompt`.execute(system.db);
    return rows.length === GOOD;
  });
  // Two events for each slow endpoint, so that one of them waits all the time.
  for (const slowN of [1, 2])
    await emitNumbered(
      system,
      urls.flatMap((_, at) => (at < GOOD ? [] : [{ accountId: accountOf(at), n: slowN }])),
    );
  await eventually('slow ones hold their places', 120_000, () => heldNow >= SLOW_PLACES);
  await eventually('the good ones have everything of before', 120_000, () => lags.length === GOOD * n);
  lags.length = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    await tellGood(n + round);
    await sleep(ROUND_MS);
  }
  await eventually('the good ones have everything', 120_000, () => lags.length >= GOOD * ROUNDS);
  const goodP99 = percentile(lags, 0.99);
  await eventually('every slow one was served once', 120_000, async () => {
    const { rows } = await sql`
      select 1 from webhook_endpoint where last_delivery_at is null limit 1`.execute(system.db);
    return rows.length === 0;
  });
  keepResult('webhooks-slow', {
    slow: SLOW,
    heldMax,
    delivered: lags.length,
    p50Ms: percentile(lags, 0.5),
    p99Ms: goodP99,
  });
  expect(lags).toHaveLength(GOOD * ROUNDS);
  expect(heldMax).toBeLessThanOrEqual(SLOW_PLACES);
  expect(goodP99).toBeLessThan(P99_MAX_MS);
}, 600_000);
