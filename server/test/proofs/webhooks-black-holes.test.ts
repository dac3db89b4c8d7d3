import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, sleep } from '#test/eventually.ts';
import { keepResult } from '#test/proof-results.ts';
import { accountOf, emitNumbered, percentile, putEndpoints } from '#test/webhook-load.ts';
import { openWebhookProof, type WebhookProofRig } from '#test/webhook-proof-rig.ts';

const HOLES = 100;
const GOOD = 50;
const ROUNDS = 60;
const ROUND_MS = 1_000;
const P99_MAX_MS = 2_000;

let rig: WebhookProofRig;
beforeAll(async () => {
  rig = await openWebhookProof('webhooks-black-holes');
});
afterAll(() => rig?.close());

test('100 receivers that accept and never answer do not slow 50 others', async () => {
  const { system, receiver } = rig;
  const lags: number[] = [];
  let swallowed = 0;
  receiver.answer(({ path, body, atMs }) => {
    if (path.startsWith('/hole')) {
      swallowed += 1;
      return undefined;
    }
    lags.push(atMs - (JSON.parse(body) as { data: { atMs: number } }).data.atMs);
    return 204;
  });
  const urls = Array.from({ length: HOLES + GOOD }, (_, at) =>
    receiver.urlOf(at + 1, at < HOLES ? `/hole/${at}` : `/good/${at}`),
  );
  await putEndpoints(system, urls);
  await rig.send();
  for (let n = 1; n <= ROUNDS; n += 1) {
    await emitNumbered(
      system,
      urls.map((_, at) => ({ accountId: accountOf(at), n })),
    );
    await sleep(ROUND_MS);
  }
  await eventually('the others have everything', 60_000, () => lags.length >= GOOD * ROUNDS);
  const p99 = percentile(lags, 0.99);
  keepResult('webhooks-black-holes', {
    holes: HOLES,
    swallowed,
    delivered: lags.length,
    p50Ms: percentile(lags, 0.5),
    p99Ms: p99,
  });
  expect(lags).toHaveLength(GOOD * ROUNDS);
  expect(p99).toBeLessThan(P99_MAX_MS);
}, 600_000);
