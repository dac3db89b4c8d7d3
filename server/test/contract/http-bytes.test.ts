import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { badRequest, type ServiceError, unavailable } from '#platform/errors.ts';
import type { Seat } from '#platform/http/seat.ts';
import { eventually } from '#test/eventually.ts';
import { listen, POLICY, plainRoute, rawConnection, recordedGates, testApp } from '#test/http-app.ts';

const BODY = '{"not": parsed';

/** An app with one route that takes its body as bytes, and the order in which its steps ran. */
function bytesApp(
  parts: { readonly read?: () => Promise<unknown>; readonly enter?: () => ServiceError } = {},
) {
  const { gates, calls } = recordedGates();
  const seat: Seat = {
    read: (bytes) => {
      calls.push(`read ${Buffer.from(bytes).toString()}`);
      return parts.read?.() ?? Promise.resolve({ opened: true });
    },
    leave: () => {
      calls.push('leave');
    },
  };
  const route = plainRoute({
    path: '/bytes',
    method: 'POST',
    policy: { ...POLICY, meter: 'scans' },
    body: z.object({ never: z.string().max(1) }),
    intake: {
      enter: () => {
        calls.push('enter');
        return parts.enter?.() ?? seat;
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
  test('slot, meter looked at, body unparsed, validation, one unit, work, slot given back', async () => {
    const { app, calls } = bytesApp();
    const port = await listen(app);
    const answer = await fetch(`http://127.0.0.1:${port}/bytes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: BODY,
    });
    expect(answer.status).toBe(200);
    await eventually('the slot is given back', 60_000, () => calls.includes('leave'));
    expect(calls).toEqual([
      'identify',
      'enter',
      'refuseEarly',
      `read ${BODY}`,
      'admit 1',
      'handle {"opened":true}',
      'leave',
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

  test('without a slot the body is not read, and nothing is charged', async () => {
    const { app, calls } = bytesApp({ enter: () => unavailable('Busy.', 2) });
    const port = await listen(app);
    const { until, socket } = await rawConnection(port);
    socket.write(
      'POST /bytes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n',
    );
    expect(await until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 503/);
    expect(calls).toEqual(['identify', 'enter']);
    socket.destroy();
    await app.close();
  });

  test('a caller who leaves while the body is read pays nothing, and gives the slot back', async () => {
    const reading = Promise.withResolvers<unknown>();
    const { app, calls } = bytesApp({ read: () => reading.promise });
    const port = await listen(app);
    const { socket } = await rawConnection(port);
    socket.write(
      `POST /bytes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
    );
    await eventually('the body is read', 60_000, () => calls.some((call) => call.startsWith('read')));
    socket.destroy();
    await eventually('the slot is given back', 60_000, () => calls.includes('leave'));
    reading.resolve({ opened: true });
    await app.close();
    expect(calls.filter((call) => call.startsWith('admit') || call.startsWith('handle'))).toEqual([]);
  });
});
