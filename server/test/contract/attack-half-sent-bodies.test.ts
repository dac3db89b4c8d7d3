import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '#test/eventually.ts';
import { listen, PUBLIC, plainRoute, rawConnection, recordedGates, testApp } from '#test/http-app.ts';
import type { Attack } from '../../../attack/attack.ts';
import { halfSentBodies, halfSentBodiesOfMany } from '../../../attack/half-sent-bodies.ts';

const check = plainRoute({ path: '/check', handle: async () => ({ ok: true }) });
/** A route like the dashboard's session route: class B and a body of 4 KiB. */
const signIn = plainRoute({
  method: 'POST',
  path: '/auth/session',
  policy: { ...PUBLIC, surface: 'web', class: 'B', bodyMax: 4_096, meter: 'public' },
  body: z.object({ apiKey: z.string().max(100), apiSecret: z.string().max(100) }),
});
const head = (length: number, path = '/api/auth/session') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

async function attacked(attack: Attack) {
  const app = testApp([check, signIn], {
    gates: recordedGates({
      identify: (request) => ({ ...ANONYMOUS, id: request.ip }),
    }).gates,
  });
  const url = `http://127.0.0.1:${await listen(app)}`;
  const result = await attack.run({ url, bystanderKey: 'a2V5OnNlY3JldA==', attackerKey: '', strength: 1 });
  app.server.closeAllConnections();
  await app.close();
  return result;
}
const ANONYMOUS = {
  kind: 'anonymous',
  accountId: '',
  userId: '',
  organizationId: null,
  role: null,
  plan: 'ANONYMOUS',
} as const;

describe('half-sent bodies (reliability A8)', () => {
  test('5,000 from one address stop neither signing in nor a check', async () => {
    const { held, figures } = await attacked(halfSentBodies);
    expect(figures).toMatchObject({ 'check answered': 200, 'signIn answered': 5 });
    expect(held).toBe(true);
  });

  test('5,000 from a hundred addresses stop neither signing in nor a check', async () => {
    const { held, figures } = await attacked(halfSentBodiesOfMany);
    expect(figures).toMatchObject({ 'check answered': 200, 'signIn answered': 5 });
    expect(held).toBe(true);
  });

  test('a body that does not arrive in its time is told so, and its connection ends', async () => {
    const app = testApp([signIn], { limits: { headersTimeoutMs: 300, requestTimeoutMs: 600 } });
    const raw = await rawConnection(await listen(app));
    raw.socket.write(`${head(4_000)}{`);
    await raw.closed;
    expect(raw.received()).toMatch(/^HTTP\/1\.1 408 /);
    expect(raw.received()).toContain('"error":"Request Timeout"');
    await app.close();
  });

  test('beyond what one address may have in transit its oldest body gives way with 429, and the newest is accepted', async () => {
    const app = testApp([signIn], {
      gates: recordedGates({ identify: () => ({ ...ANONYMOUS, id: 'a' }) }).gates,
    });
    const port = await listen(app);
    const [first] = [await rawConnection(port)];
    first.socket.write(`${head(4_000)}{`);
    const others = [];
    for (let i = 0; i < 140; i += 1) {
      const raw = await rawConnection(port);
      raw.socket.write(`${head(4_000)}{`);
      others.push(raw);
    }
    await eventually('the oldest is given up', 30_000, async () => first.received().includes(' 429 '));
    expect(first.received()).toContain('Your IP address is sending more request bodies at once');
    const body = JSON.stringify({ apiKey: 'a', apiSecret: 'b' });
    const honest = await rawConnection(port);
    honest.socket.write(head(body.length));
    honest.socket.write(body);
    expect(await honest.until(/\{"ok":true\}/)).toContain('HTTP/1.1 200');
    for (const { socket } of [first, honest, ...others]) socket.destroy();
    await app.close();
  });

  test('beyond what one account may have in transit the next body is refused with 429, and those under way stay', async () => {
    const app = testApp([signIn]);
    const port = await listen(app);
    const underWay = [];
    for (let i = 0; i < 100; i += 1) {
      const raw = await rawConnection(port);
      raw.socket.write(`${head(100)}{`);
      underWay.push(raw);
    }
    const next = await rawConnection(port);
    next.socket.write(`${head(100)}{`);
    const refusal = await next.until(/retryAfter/);
    expect(refusal).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 2\r/i);
    expect(refusal).toContain(
      'Your account is sending more request bodies at once than the 100 or 96 MiB that it may.',
    );
    const [first] = underWay;
    first?.socket.write(`"apiKey":"a","apiSecret":"b"}`.padEnd(99));
    expect(await first?.until(/\{"ok":true\}/)).toContain('HTTP/1.1 200');
    for (const { socket } of [next, ...underWay]) socket.destroy();
    await app.close();
  });
});
