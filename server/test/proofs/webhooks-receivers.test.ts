import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/postgres.ts';
import { BAD_RECEIVERS } from '#test/bad-receivers.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { keepResult } from '#test/proof-results.ts';
import { accountOf, emitNumbered, percentile, putEndpoints, usedBy } from '#test/webhook-load.ts';
import { openWebhookProof, type WebhookProofRig } from '#test/webhook-proof-rig.ts';

const BAD = Object.entries(BAD_RECEIVERS);
const GOOD = 20;
const ROUNDS = 30;
const P99_MAX_MS = 2_000;
const RSS_MAX_MB = 400;

let rig: WebhookProofRig;
beforeAll(async () => {
  rig = await openWebhookProof('webhooks-receivers');
});
afterAll(() => rig?.close());

test(`${BAD.length} bad receivers cost no other receiver its events, and the sender neither memory nor its life`, async () => {
  const { system, receiver } = rig;
  const lags: number[] = [];
  receiver.answer(({ path, body, atMs }, response) => {
    const at = Number(path.slice(path.lastIndexOf('/') + 1));
    if (path.startsWith('/bad')) {
      BAD[at]?.[1](response);
      return undefined;
    }
    lags.push(atMs - (JSON.parse(body) as { data: { atMs: number } }).data.atMs);
    return 200;
  });
  const urls = [
    ...BAD.map((_, at) => receiver.urlOf(at + 1, `/bad/${at}`)),
    ...Array.from({ length: GOOD }, (_, at) => receiver.urlOf(BAD.length + at + 1, `/good/${at}`)),
  ];
  await putEndpoints(system, urls);
  // Bad receivers are asked again every second, which is more than they get in production.
  const sender = await rig.send(Array.from({ length: 9 }, () => 1_000));
  let rssMb = 0;
  for (let n = 1; n <= ROUNDS; n += 1) {
    await emitNumbered(
      system,
      urls.map((_, at) => ({ accountId: accountOf(at), n })),
    );
    await sleep(1_000);
    rssMb = Math.max(rssMb, (await usedBy(sender)).rssMb);
  }
  await eventually('the others have everything', 60_000, () => lags.length >= GOOD * ROUNDS);
  await eventually('every bad receiver was tried', 60_000, async () => {
    const { rows } = await sql`
      select 1 from webhook_endpoint where last_delivery_at is null`.execute(system.db);
    return rows.length === 0;
  });
  const { rows } = await sql<{ long: number }>`
    select max(length(response_body))::int as long from webhook_delivery`.execute(system.db);
  keepResult('webhooks-receivers', {
    bad: BAD.length,
    delivered: lags.length,
    p99Ms: percentile(lags, 0.99),
    rssMaxMb: rssMb,
    keptCharsMax: rows[0]?.long ?? 0,
  });
  expect(lags).toHaveLength(GOOD * ROUNDS);
  expect(percentile(lags, 0.99)).toBeLessThan(P99_MAX_MS);
  expect(rssMb).toBeLessThan(RSS_MAX_MB);
  expect(rows[0]?.long ?? 0).toBeLessThanOrEqual(1_024);
}, 600_000);
