import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { webAppRoutes } from '#platform/http/web-app/web-routes.ts';
import { listen, plainRoute, rawConnection, testApp } from '#test/http-app.ts';
import { stalledReaders } from '../../../attack/stalled-readers.ts';

const dir = mkdtempSync(join(tmpdir(), 'assay-stalled-'));
mkdirSync(join(dir, 'assets'));
writeFileSync(join(dir, 'index.html'), '<script type="module" src="/app/assets/index-Bx1.js"></script>');
writeFileSync(join(dir, 'assets/index-Bx1.js'), 'x'.repeat(700_000));
afterAll(() => rmSync(dir, { recursive: true }));

const dashboard = webAppRoutes({
  dir,
  publicApiUrl: 'https://api.example.test',
  publicWebUrl: 'https://app.example.test',
  page: { demo: false, version: '1', outwardLinks: [] },
  clock: systemClock(),
});
const check = plainRoute({ path: '/check', handle: async () => ({ ok: true }) });
const FILE = 'GET /app/assets/index-Bx1.js HTTP/1.1\r\nHost: a\r\n\r\n';
const CHECK = 'GET /check HTTP/1.1\r\nHost: a\r\n\r\n';

describe('readers that never read (reliability A8)', () => {
  test('120 connections with 450 requests each stop no check', async () => {
    const app = testApp([...dashboard, check]);
    const url = `http://127.0.0.1:${await listen(app)}`;
    const { held, figures } = await stalledReaders.run({
      url,
      bystanderKey: 'a2V5OnNlY3JldA==',
      attackerKey: '',
      strength: 1,
    });
    expect(figures).toMatchObject({ 'check answered': figures['check sent'] });
    expect(held).toBe(true);
    await app.close();
  });

  test('an answer that is not taken is ended, and its connection with it', async () => {
    const app = testApp([...dashboard, check], { limits: { writeStalledMaxMs: 300 } });
    const raw = await rawConnection(await listen(app));
    raw.socket.pause();
    raw.socket.write(FILE.repeat(20));
    await expect.poll(() => connectionsOf(app), { timeout: 30_000 }).toBe(0);
    await app.close();
  });

  test('an answer that is taken slowly is not ended', async () => {
    // The reader takes longer than this for all answers, but never pauses for this long.
    const app = testApp([...dashboard, check], { limits: { writeStalledMaxMs: 3_000 } });
    const raw = await rawConnection(await listen(app));
    let received = 0;
    raw.socket.removeAllListeners('data').on('data', (chunk: string) => {
      received += chunk.length;
      raw.socket.pause();
      setTimeout(() => raw.socket.resume(), 10);
    });
    raw.socket.write(FILE.repeat(30));
    await expect.poll(() => received, { timeout: 120_000 }).toBeGreaterThan(21_000_000);
    raw.socket.destroy();
    await app.close();
  });

  test('32 requests may wait on one connection; one more is told so and the connection ends after the answers', async () => {
    const app = testApp([check]);
    const port = await listen(app);
    const few = await rawConnection(port);
    few.socket.write(CHECK.repeat(32));
    await expect.poll(() => answersIn(few.received(), 200)).toBe(32);
    // The places on the connection are free again after the answers.
    few.socket.write(CHECK.repeat(2));
    await expect.poll(() => answersIn(few.received(), 200)).toBe(34);
    few.socket.destroy();
    const many = await rawConnection(port);
    many.socket.write(CHECK.repeat(450));
    await many.closed;
    expect([answersIn(many.received(), 200), answersIn(many.received(), 503)]).toEqual([32, 1]);
    expect(many.received()).toContain('"error":"Service unavailable"');
    await app.close();
  });
});

const answersIn = (text: string, status: number): number => text.split(`HTTP/1.1 ${status} `).length - 1;

const connectionsOf = (app: ReturnType<typeof testApp>): Promise<number> =>
  new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
