import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export type ZonePeer = {
  readonly server: string;
  /** Records by `TYPE name`; a test changes them at any time. A function is asked anew for each query. */
  readonly records: Map<string, readonly string[] | (() => readonly string[])>;
  readonly close: () => void;
};

const TYPES: Readonly<Record<number, string>> = { 1: 'A', 16: 'TXT' };
const NXDOMAIN = 3;

/** A name server on loopback with the A and TXT records of a few zones. */
export async function startZonePeer(): Promise<ZonePeer> {
  const socket = createSocket('udp4');
  const records: ZonePeer['records'] = new Map();
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    const known = records.get(`${TYPES[type] ?? type} ${name}`);
    const found = typeof known === 'function' ? known() : (known ?? []);
    socket.send(answer(query.subarray(0, end), type, found), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { server: `127.0.0.1:${socket.address().port}`, records, close: () => socket.close() };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answer(question: Buffer, type: number, found: readonly string[]): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | (found.length === 0 ? NXDOMAIN : 0), 2);
  head.writeUInt16BE(found.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...found.map((text) => record(type, text))]);
}

function record(type: number, text: string): Buffer {
  const data =
    type === 1
      ? Buffer.from(text.split('.').map(Number))
      : Buffer.concat([Buffer.of(text.length), Buffer.from(text)]);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
