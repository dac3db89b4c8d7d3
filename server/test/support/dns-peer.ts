import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export type DnsAnswer = readonly string[] | 'NXDOMAIN' | 'SERVFAIL' | 'SILENT';
export type DnsPeer = {
  readonly server: string;
  /** Every query, as `TYPE name`. */
  readonly questions: readonly string[];
  readonly close: () => void;
};

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };
const RCODES = { NXDOMAIN: 3, SERVFAIL: 2 } as const;

/**
 * A name server on loopback. `answer` gets the type, the name, and the number of earlier queries of that
 * pair.
 */
export async function startDnsPeer(
  answer: (type: 'A' | 'AAAA', name: string, asked: number) => DnsAnswer,
): Promise<DnsPeer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    const known = TYPES[type];
    const question = `${known ?? type} ${name}`;
    const asked = questions.filter((each) => each === question).length;
    questions.push(question);
    const result = known === undefined ? 'NXDOMAIN' : answer(known, name, asked);
    if (result !== 'SILENT')
      socket.send(reply(query.subarray(0, end), type, result), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { server: `127.0.0.1:${socket.address().port}`, questions, close: () => socket.close() };
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

function reply(question: Buffer, type: number, result: Exclude<DnsAnswer, 'SILENT'>): Buffer {
  const addresses = typeof result === 'string' ? [] : result;
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | (typeof result === 'string' ? RCODES[result] : 0), 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  const records = addresses.map((address) => {
    const data = type === 1 ? Buffer.from(address.split('.').map(Number)) : v6Bytes(address);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, ...records]);
}

function v6Bytes(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const parse = (text: string) =>
    text === '' ? [] : text.split(':').map((part) => Number.parseInt(part, 16));
  const [left, right] = [parse(head), parse(tail)];
  const parts = [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
  const bytes = Buffer.alloc(16);
  for (const [i, part] of parts.entries()) bytes.writeUInt16BE(part, i * 2);
  return bytes;
}
