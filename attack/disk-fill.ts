import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Target } from './attack.ts';

/** The evidence had 25 calls of an anonymous key; strength 1 makes ten times as many. */
const CALLS = 250;
const RESULT_BYTES = 253_000;

/** A key that nobody has proven sends large reports, each under an Idempotency-Key, as fast as it may. */
export const diskFill: Attack = {
  name: 'disk-fill',
  finding: 'An account that nobody has proven stores nothing, and any other no more than its plan allows.',
  run: async (target) => {
    const anonymous = await instantKey(target);
    const unproven = await saveReports(target, anonymous);
    const known = await saveReports(target, target.attackerKey);
    const { used, limit } = await storageOf(target, target.attackerKey);
    const most = limit + RESULT_BYTES * 2;
    return {
      held: unproven.stored === 0 && used <= most,
      figures: {
        'unproven calls': unproven.calls,
        'unproven stored bytes': unproven.stored,
        'known calls': known.calls,
        'known stored bytes': known.stored,
        'known bytes counted': used,
        'known bytes allowed': limit,
      },
    };
  },
};

async function instantKey(target: Target): Promise<string> {
  const answer = await whenAdmitted(() =>
    fetch(new URL('/api/keys/instant', target.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email: `disk-fill-${randomBytes(6).toString('hex')}@example.com` }),
    }),
  );
  const { apiKey, apiSecret } = (await answer.json()) as { apiKey?: string; apiSecret?: string };
  if (answer.status !== 201) throw new Error(`POST /api/keys/instant answered ${answer.status}.`);
  return Buffer.from(`${apiKey}:${apiSecret}`).toString('base64');
}

const WAIT_MAX_S = 120;

/** Asks again when a limit of a minute is over; a limit of a day is given up. */
async function whenAdmitted(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await ask();
    const waitS = Number(answer.headers.get('retry-after') ?? 1);
    if ((answer.status !== 429 && answer.status !== 503) || waitS > WAIT_MAX_S) return answer;
    await answer.body?.cancel();
    await sleep(1_000 * waitS);
  }
}

async function saveReports(target: Target, key: string): Promise<{ calls: number; stored: number }> {
  const body = JSON.stringify({
    result: {
      malicious: false,
      apiVersion: 'v2',
      query: '203.0.113.9',
      filler: randomBytes(RESULT_BYTES / 2).toString('hex'),
    },
  });
  const calls = Math.max(2, Math.ceil(CALLS * target.strength));
  let stored = 0;
  for (let nth = 0; nth < calls; nth += 1) {
    const answer = await fetch(new URL('/reports/save', target.url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': key,
        'idempotency-key': randomBytes(12).toString('hex'),
      },
      body,
    });
    await answer.body?.cancel();
    if (answer.status === 201) stored += body.length;
  }
  return { calls, stored };
}

/** What the service says that the account stores; infinite where it does not say. */
async function storageOf(target: Target, key: string): Promise<{ used: number; limit: number }> {
  const answer = await whenAdmitted(() =>
    fetch(new URL('/metrics/subscription', target.url), { headers: { 'x-api-key': key } }),
  );
  const { storage } = (await answer.json()) as { storage?: { used: number; limit: number } };
  return storage ?? { used: Number.POSITIVE_INFINITY, limit: 0 };
}
