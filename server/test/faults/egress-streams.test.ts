import { afterEach, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createOutboundStreams } from '#platform/outbound/streams.ts';
import type { OutboundOptions } from '#platform/outbound.ts';
import { startDnsPeer } from '#test/dns-peer.ts';
import { expectWithin } from '#test/expect-within.ts';
import { startRawPeer } from '#test/peers/tls-peer.ts';

const log = createLog('silent');
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
const closed = <T extends { readonly close: () => unknown }>(started: T): T => {
  closing.push(started.close);
  return started;
};
const streamsTo = (port: number, options: Partial<OutboundOptions> = {}) =>
  closed(createOutboundStreams({ log, clock: systemClock(), allow: [`127.0.0.1/32:${port}`], ...options }));

/** A deadline longer than a busy machine needs; the test of the deadline has its own. */
const question = { host: '127.0.0.1', text: 'example.com\r\n', bytesMax: 10_000, deadlineMs: 60_000 };

test('the request arrives, and the answer is complete however it is split into packets', async () => {
  let asked = '';
  const peer = closed(
    await startRawPeer((socket) => {
      socket.once('data', (chunk: Buffer) => {
        asked = chunk.toString();
        socket.write('domain: ');
        setTimeout(() => socket.end('EXAMPLE.COM\r\n'), 30);
      });
    }),
  );
  const answer = await streamsTo(peer.port).exchange({ ...question, port: peer.port });
  expect(answer.toString()).toBe('domain: EXAMPLE.COM\r\n');
  expect(asked).toBe('example.com\r\n');
  await peer.left();
});

test('an answer of exactly the limit is accepted, one byte more is refused, and an endless one is cut off', async () => {
  const peer = closed(
    await startRawPeer((socket) => {
      socket.once('data', (chunk: Buffer) => {
        const bytes = Number(chunk.toString());
        if (bytes > 0) return socket.end(Buffer.alloc(bytes, 'x'));
        const pump = () => {
          while (!socket.destroyed && socket.write(Buffer.alloc(64 * 1024))) {
            // Writes until the socket's buffer is full.
          }
        };
        socket.on('drain', pump);
        return pump();
      });
    }),
  );
  const streams = streamsTo(peer.port);
  const ask = (bytes: number) => streams.exchange({ ...question, port: peer.port, text: String(bytes) });
  expect(await ask(10_000)).toHaveLength(10_000);
  await expect(ask(10_001)).rejects.toMatchObject({ reason: 'too_large' });
  await expect(ask(0)).rejects.toMatchObject({ reason: 'too_large' });
  await peer.left();
});

test('one deadline covers name resolution, silence, and an answer of one byte per second', async () => {
  const silent = closed(await startRawPeer(() => undefined));
  const dripping = closed(
    await startRawPeer((socket) => {
      const drip = setInterval(() => socket.write('.'), 100);
      socket.on('close', () => clearInterval(drip));
    }),
  );
  const names = closed(await startDnsPeer(() => 'SILENT'));
  for (const [host, port] of [
    ['127.0.0.1', silent.port],
    ['127.0.0.1', dripping.port],
    ['black-hole.example.com', silent.port],
  ] as const) {
    const begun = performance.now();
    const asked = streamsTo(port, { dnsServers: [names.server] }).exchange({
      ...question,
      host,
      port,
      deadlineMs: 400,
    });
    await expect(asked).rejects.toMatchObject({ reason: 'deadline' });
    expectWithin(performance.now() - begun, 900);
  }
  await Promise.all([silent.left(), dripping.left()]);
});

test('an answer whose connection breaks is a failure', async () => {
  const peer = closed(
    await startRawPeer((socket) => {
      socket.once('data', () => socket.write('domain: EXAM', () => socket.resetAndDestroy()));
    }),
  );
  const asked = streamsTo(peer.port).exchange({ ...question, port: peer.port });
  await expect(asked).rejects.toMatchObject({ reason: 'connect' });
});

test('a port that the protocol does not use is refused before any name is resolved', async () => {
  const names = closed(await startDnsPeer(() => ['127.0.0.1']));
  const streams = closed(createOutboundStreams({ log, clock: systemClock(), dnsServers: [names.server] }));
  const host = 'whois.example.com';
  for (const port of [22, 80, 443, 6379])
    await expect(streams.exchange({ ...question, host, port })).rejects.toMatchObject({ reason: 'port' });
  for (const port of [22, 25, 43, 993, 8443])
    await expect(streams.handshake({ host, port, bytesMax: 1_000, deadlineMs: 500 })).rejects.toMatchObject({
      reason: 'port',
    });
  expect(names.questions).toEqual([]);
});

test('closing aborts the requests in flight', async () => {
  const silent = closed(await startRawPeer(() => undefined));
  const streams = streamsTo(silent.port);
  const asked = streams.exchange({ ...question, port: silent.port, deadlineMs: 30_000 });
  setTimeout(() => void streams.close(), 50);
  await expect(asked).rejects.toMatchObject({ reason: 'aborted' });
  await silent.left();
});
