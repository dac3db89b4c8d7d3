import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailRoutes } from '#capabilities/mail/index.ts';
import { scanLimits } from '#capabilities/mail/open-mail.ts';
import { listen, recordedGates, testApp } from '#test/http-app.ts';
import { BOMBS } from '#test/mail/bombs.ts';
import { makeMail } from '#test/mail/made-mail.ts';
import { type MailRig, openMailRig } from '#test/mail/mail-rig.ts';
import { testCaller } from '#test/meter.ts';
import { keepResult } from '#test/proof-results.ts';

/** Messages that are made to cost time or memory, through the route with the limits of a node. */
const SLOTS = 4;
const MEMORY_PER_SLOT_MIB = 120;
const names = Object.keys(BOMBS);
let rig: MailRig;
let app: ReturnType<typeof testApp>;
let port: number;
const slowest = { name: '', ms: 0 };
const statuses = new Map<number, number>();

beforeAll(async () => {
  rig = await openMailRig();
  await rig.list('some', ['http://a.example.com/'], { category: 'c2', reliability: 0.9 });
  const threads = rig.threadsOf({ slots: SLOTS, budget: scanLimits(1).budget });
  let callers = 0;
  const { gates } = recordedGates({
    identify: () => {
      callers += 1;
      return testCaller('PRO', { accountId: `org_${callers}` });
    },
  });
  app = testApp(mailRoutes(rig.depsWith(threads)), { gates });
  port = await listen(app);
  await scan(makeMail({}));
});
afterAll(async () => {
  keepResult('mail-bombs', {
    bombs: names.length,
    slowestMs: Math.round(slowest.ms),
    refused: statuses.get(503) ?? 0,
  });
  await app?.close();
  await rig?.close();
});

async function scan(mail: Buffer): Promise<{ readonly status: number; readonly ms: number }> {
  const startMs = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/mail/scan`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ emlBase64: mail.toString('base64') }),
  });
  await answer.arrayBuffer();
  return { status: answer.status, ms: performance.now() - startMs };
}

describe('each bomb is answered within its time (O18, trap 53)', () => {
  test.each(names)('%s', async (name) => {
    const mail = BOMBS[name]?.() ?? Buffer.alloc(0);
    const { status, ms } = await scan(mail);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (ms > slowest.ms) Object.assign(slowest, { name, ms });
    process.stdout.write(`bomb ${name.replaceAll(' ', '-')} ${Math.round(ms)} ms, status ${status}\n`);
    expect([200, 413, 503]).toContain(status);
    // Twice the deadline of the scan thread, and what a busy machine adds.
    expect(ms).toBeLessThan(30_000);
  });

  test('a JSON body of escapes', async () => {
    const body = `{"eml":"Subject: x\\r\\n\\r\\n${'\\u0041'.repeat(2_300_000)}"}`;
    const answer = await fetch(`http://127.0.0.1:${port}/mail/scan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect([200, 413]).toContain(answer.status);
  });
});

test('four at once: other scans are answered, and memory stays within 120 MiB a slot', async () => {
  const before = process.memoryUsage().rss;
  const mails = names.slice(0, 16).map((name) => BOMBS[name]?.() ?? Buffer.alloc(0));
  const held = process.memoryUsage().rss;
  let most = 0;
  const sampler = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  for (let at = 0; at < mails.length; at += SLOTS - 1) {
    const bombs = mails.slice(at, at + SLOTS - 1).map(scan);
    expect((await scan(makeMail({}))).status).toBe(200);
    await Promise.all(bombs);
  }
  clearInterval(sampler);
  const grown = (most - Math.max(before, held)) / 1024 / 1024;
  keepResult('mail-bombs', { memoryMib: grown });
  expect(grown).toBeLessThan(SLOTS * MEMORY_PER_SLOT_MIB);
});
