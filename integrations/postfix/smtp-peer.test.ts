import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmtpPeer } from './smtp-peer.ts';

let server: Server;
beforeAll(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

async function pair(): Promise<{ readonly far: Socket; readonly peer: SmtpPeer }> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [near] = await accepted;
  return { far, peer: new SmtpPeer(near, 60_000) };
}

const IDLE = 60_000;
/** Messages made of line ends, dots and ends of messages, which are easy to misread. */
const text = fc
  .array(fc.constantFrom('.', '\r\n', '\r', '\n', 'a', '\r\n.', '..', '\xff', ' '), { maxLength: 40 })
  .map((parts) => Buffer.from(`${parts.join('')}\r\n`, 'latin1'));

test('a message crosses unchanged in any pieces, with bare line feeds written as CRLF', {
  timeout: IDLE,
}, async () => {
  const [there, back] = [await pair(), await pair()];
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (message, step) => {
      const written: Buffer[] = [];
      const keep = (bytes: Buffer): void => void written.push(bytes);
      there.far.on('data', keep);
      there.peer.writeMessage(message);
      const wire = async (): Promise<Buffer> => {
        for (;;) {
          const all = Buffer.concat(written);
          if (all.equals(Buffer.from('.\r\n')) || all.toString('latin1').endsWith('\r\n.\r\n')) return all;
          await once(there.far, 'data');
        }
      };
      const sent = await wire();
      there.far.off('data', keep);
      for (let at = 0; at < sent.length; at += step) back.far.write(sent.subarray(at, at + step));
      const read = await back.peer.readMessage(10_000);
      const expected = message.toString('latin1').replace(/(?<!\r)\n/g, '\r\n');
      expect((read as Buffer).toString('latin1')).toBe(expected);
      // A server that also accepts a bare line feed as a line end finds no end of the message before its real one.
      expect(sent.toString('latin1').slice(0, -3)).not.toMatch(/(?:^|[\n])\.\r?\n/);
    }),
    { numRuns: 150 },
  );
  for (const { far } of [there, back]) far.destroy();
});

test('what follows a message is the next command, and a message over the limit is read to its end', async () => {
  const { far, peer } = await pair();
  far.write('a\r\n..b\r\n.\r\nQUIT\r\n');
  expect(String(await peer.readMessage(100))).toBe('a\r\n.b\r\n');
  expect(await peer.readLine()).toBe('QUIT');
  far.write(`${'x'.repeat(5_000)}\r\n.\r\nNOOP\r\n`);
  expect(await peer.readMessage(100)).toBe('tooLarge');
  expect(await peer.readLine()).toBe('NOOP');
  far.destroy();
});

test('a line without an end, a half message and a hung-up connection end the wait', async () => {
  const long = await pair();
  long.far.write('x'.repeat(10_000));
  expect(await long.peer.readLine()).toBeNull();
  const half = await pair();
  half.far.end('a\r\n.\r');
  expect(await half.peer.readMessage(100)).toBeNull();
  expect(half.peer.isClosed).toBe(true);
  long.far.destroy();
});
