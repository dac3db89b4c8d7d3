import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { badRequest, type ServiceError, unavailable } from '#platform/errors.ts';
import type { BodySlot } from '#platform/http/intake.ts';
import { eventually } from '#test/eventually.ts';
import { listen, POLICY, plainRoute, rawConnection, recordedGates, testApp } from '#test/http-app.ts';

const BODY = '{"not": parsed';
const HEAD = `POST /bytes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;

/** An app with one route that takes its body as bytes, and the order in which its steps ran. */
function bytesApp(
  parts: { readonly read?: () => Promise<unknown>; readonly takeSlot?: () => ServiceError } = {},
) {
  const { gates, calls } = recordedGates();
  const slot: BodySlot = {
    read: (bytes) => {
      calls.push(`read ${Buffer.from(bytes).toString()}`);
      return parts.read?.() ?? Promise.resolve({ opened: true });
    },
    release: () => {
      calls.push('release');
    },
  };
  const route = plainRoute({
    path: '/bytes',
    method: 'POST',
    policy: { ...POLICY, meter: 'scans' },
    body: z.object({ never: z.string().max(1) }),
    intake: {
      takeSlot: () => {
        calls.push('take slot');
        return parts.takeSlot?.() ?? slot;
      },
    },
    handle: (({ body }: { body: unknown }) => {
      calls.push(`handle ${JSON.stringify(body)}`);
      return { ok: true };
    }) as never,
  });
  return { app: testApp([route], { gates }), calls };
}

describe('a route that takes its body as bytes', () => {
  test('meter looked at, body unparsed, slot, validation, one unit, work, slot released', async () => {
    const { app, calls } = bytesApp();
    const port = await listen(app);
    const answer = await fetch(`http://127.0.0.1:${port}/bytes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: BODY,
    });
    expect(answer.status).toBe(200);
    await eventually('the slot is released', 60_000, () => calls.includes('release'));
    expect(calls).toEqual([
      'identify',
      'refuseEarly',
      'take slot',
      `read ${BODY}`,
      'admit 1',
      'handle {"opened":true}',
      'release',
    ]);
    await app.close();
  });

  test('a refusal by its validation costs no unit', async () => {
    const { app, calls } = bytesApp({ read: () => Promise.reject(badRequest('No.')) });
    const answer = await app.inject({
      method: 'POST',
      url: '/bytes',
      headers: { 'content-type': 'application/json' },
      payload: BODY,
    });
    expect(answer.statusCode).toBe(400);
    expect(calls.filter((call) => call.startsWith('admit'))).toEqual(['admit 0']);
  });

  test('without a free slot nothing is parsed or worked on, and only the burst is charged', async () => {
    const { app, calls } = bytesApp({ takeSlot: () => unavailable('Busy.', 2) });
    const answer = await app.inject({
      method: 'POST',
      url: '/bytes',
      headers: { 'content-type': 'application/json' },
      payload: BODY,
    });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2']);
    expect(calls).toEqual(['identify', 'refuseEarly', 'take slot', 'admit 0']);
  });

  test('a half-sent body holds no slot, however many there are and however long they take', async () => {
    const { app, calls } = bytesApp();
    const port = await listen(app);
    const senders = [];
    for (let i = 0; i < 40; i += 1) {
      const sender = await rawConnection(port);
      sender.socket.write(`${HEAD}{`);
      senders.push(sender);
    }
    await eventually(
      'every caller is known',
      60_000,
      () => calls.filter((call) => call === 'refuseEarly').length === 40,
    );
    expect(calls).not.toContain('take slot');
    senders[0]?.socket.write(BODY.slice(1));
    await eventually('the slot is released', 60_000, () => calls.includes('release'));
    expect(calls.filter((call) => call === 'take slot')).toHaveLength(1);
    for (const { socket } of senders) socket.destroy();
    await app.close();
  });

  test('an answer that waits for an earlier one on its connection holds no slot', async () => {
    const first = Promise.withResolvers<unknown>();
    let reads = 0;
    const read = () => {
      reads += 1;
      return reads === 1 ? first.promise : Promise.reject(badRequest('No.'));
    };
    const { app, calls } = bytesApp({ read });
    const { socket } = await rawConnection(await listen(app));
    socket.write(`${HEAD}${BODY}`.repeat(30));
    const count = (name: string) => calls.filter((call) => call === name).length;
    await eventually('29 slots are released', 60_000, () => count('release') === 29);
    expect(count('take slot')).toBe(30);
    first.resolve({ opened: true });
    await eventually('the first one too', 60_000, () => count('release') > 30);
    socket.destroy();
    await app.close();
  });

  test('a caller who leaves while the body is read pays nothing, and the slot is released', async () => {
    const reading = Promise.withResolvers<unknown>();
    const { app, calls } = bytesApp({ read: () => reading.promise });
    const port = await listen(app);
    const { socket } = await rawConnection(port);
    socket.write(`${HEAD}${BODY}`);
    await eventually('the body is read', 60_000, () => calls.some((call) => call.startsWith('read')));
    socket.destroy();
    await eventually('the slot is released', 60_000, () => calls.includes('release'));
    reading.resolve({ opened: true });
    await app.close();
    expect(calls.filter((call) => call.startsWith('admit') || call.startsWith('handle'))).toEqual([]);
  });
});
