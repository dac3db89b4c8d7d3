import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The floor of bench/stream.ts: Node's own HTTP server that writes the same bytes to every reader, with no log, filter, key
 * or limit. The parent sends the text of an event, how many a second for how many seconds, and how many in a piece.
 */
const readers = new Set<ServerResponse>();
const server = createServer((_, response) => {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.write('retry: 5000\n\n');
  readers.add(response);
  response.on('close', () => readers.delete(response));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

type Run = {
  readonly text: string;
  readonly perSecond: number;
  readonly seconds: number;
  readonly perPiece: number;
};
process.on('message', ({ text, perSecond, seconds, perPiece }: Run) => {
  const total = perSecond * seconds;
  let sent = 0;
  const timer = setInterval(
    () => {
      const events = Math.min(perPiece, total - sent);
      const stamped = text.replace('STAMP', new Date().toISOString()).repeat(events);
      for (const reader of readers) reader.write(stamped);
      sent += events;
      if (sent === total) {
        clearInterval(timer);
        process.send?.('done');
      }
    },
    (1_000 / perSecond) * perPiece,
  );
});
process.on('disconnect', () => process.exit(0));
