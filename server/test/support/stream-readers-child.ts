import { connect, type Socket } from 'node:net';

/**
 * Many readers of an event stream in a process of their own, so that their work does not count as the service's.
 * `node stream-readers-child.ts URL PATH CREDENTIAL READERS`; tells its parent `open`, and on `report` what arrived: how many
 * events, and the latency of each by the `occurredAt` inside it, in a histogram of milliseconds.
 */
const [url = '', path = '', credential = '', count = '1'] = process.argv.slice(2);
const { hostname, port, host } = new URL(url);
const OPEN_AT_ONCE = 100;
const MARK = Buffer.from('"occurredAt":"');
const TIME_CHARS = 24;

let [events, pieces, opened, refused, closed] = [0, 0, 0, 0, 0];
let histogram: number[] = [];

function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-API-KEY: ${credential}\r\n\r\n`),
    );
    let rest = Buffer.alloc(0);
    let isOpen = false;
    socket.on('error', reject);
    socket.on('close', () => {
      closed += 1;
    });
    socket.on('data', (chunk: Buffer) => {
      if (!isOpen) {
        isOpen = true;
        if (chunk.subarray(9, 12).toString() === '200') opened += 1;
        else refused += 1;
        resolve(socket);
      }
      pieces += 1;
      rest = take(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]));
    });
  });
}

/** Counts the events of a piece and returns its end, which may be the beginning of the next one. */
function take(piece: Buffer): Buffer<ArrayBuffer> {
  let from = 0;
  for (let at = piece.indexOf(MARK); at !== -1; at = piece.indexOf(MARK, from)) {
    const start = at + MARK.length;
    if (start + TIME_CHARS > piece.length) return Buffer.from(piece.subarray(at));
    from = start + TIME_CHARS;
    const ms = Math.max(0, Date.now() - Date.parse(piece.toString('latin1', start, from)));
    histogram[ms] = (histogram[ms] ?? 0) + 1;
    events += 1;
  }
  return Buffer.from(piece.subarray(Math.max(from, piece.length - MARK.length + 1)));
}

process.on('message', () => {
  process.send?.({ events, pieces, opened, refused, closed, histogram: histogram.map((n) => n ?? 0) });
  [events, pieces, histogram] = [0, 0, []];
});
process.on('disconnect', () => process.exit(0));

const total = Number(count);
for (let at = 0; at < total; at += OPEN_AT_ONCE)
  await Promise.all(Array.from({ length: Math.min(OPEN_AT_ONCE, total - at) }, open));
process.send?.('open');
