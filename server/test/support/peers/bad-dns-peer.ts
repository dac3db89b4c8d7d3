import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** The behaviour of a name server: correct, or one of the failures to test. */
export type BadDnsMode =
  | 'answer'
  | 'silent'
  | 'servfail'
  | 'refused'
  | 'no-edns'
  | 'wrong-id'
  | 'wrong-question'
  | 'forged-then-true'
  | 'no-response-bit'
  | 'compression-loop'
  | 'forward-pointer'
  | 'many-records'
  | 'count-lies'
  | 'cut-off'
  | 'short-address'
  | 'noise'
  | 'other-owner'
  | 'alias-loop'
  | 'long-alias'
  | 'hostile-text'
  | 'hostile-name'
  | 'huge-text'
  | 'broken-text'
  | 'redirect-text'
  | 'tcp-flood'
  | 'tcp-silent'
  | 'tcp-hangup'
  | 'tcp-refused'
  | 'tcp-truncated';

export type Asked = { readonly name: string; readonly type: number; readonly hasEdns: boolean };
export type BadDnsPeer = {
  readonly server: string;
  readonly asked: readonly Asked[];
  /** One mode for all queries, or a mode by name and type. */
  mode: BadDnsMode | ((asked: Asked) => BadDnsMode);
  readonly close: () => Promise<void>;
};

const [A, CNAME, TXT] = [1, 5, 16];
const POINTER_TO_QUESTION: Buffer = Buffer.of(0xc0, 0x0c);

/**
 * A name server over UDP and TCP on one port of loopback. In mode `answer` every name has the address
 * 45.83.64.7.
 */
export async function startBadDnsPeer(mode: BadDnsPeer['mode'] = 'answer'): Promise<BadDnsPeer> {
  const state = { mode };
  const asked: Asked[] = [];
  const connections = new Set<Socket>();
  const modeFor = (query: Buffer): BadDnsMode => {
    const question = readQuestion(query);
    asked.push(question);
    return typeof state.mode === 'function' ? state.mode(question) : state.mode;
  };
  const tcp = createServer((socket) => {
    connections.add(socket);
    socket.on('error', () => undefined).on('close', () => connections.delete(socket));
    socket.once('data', (data: Buffer) => overTcp(socket, data.subarray(2), modeFor(data.subarray(2))));
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as { port: number };
  const udp = createSocket('udp4');
  udp.on('message', (query, from) => {
    for (const datagram of overUdp(query, modeFor(query))) udp.send(datagram, from.port, from.address);
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return {
    server: `127.0.0.1:${port}`,
    asked,
    get mode() {
      return state.mode;
    },
    set mode(next) {
      state.mode = next;
    },
    close: async () => {
      udp.close();
      for (const socket of connections) socket.destroy();
      tcp.close();
      await once(tcp, 'close');
    },
  };
}

function readQuestion(query: Buffer): Asked & { readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return {
    name: labels.join('.'),
    type: query.readUInt16BE(at + 1),
    end: at + 5,
    hasEdns: query.readUInt16BE(10) > 0,
  };
}

type Head = { readonly rcode?: number; readonly isTruncated?: boolean; readonly count?: number };

function reply(query: Buffer, records: readonly Buffer[], head: Head = {}): Buffer {
  const question = Buffer.from(query.subarray(0, readQuestion(query).end));
  question.writeUInt16BE(0x8180 | (head.isTruncated === true ? 0x0200 : 0) | (head.rcode ?? 0), 2);
  question.writeUInt16BE(head.count ?? records.length, 6);
  question.writeUInt32BE(0, 8);
  return Buffer.concat([question, ...records]);
}

function record(type: number, data: Buffer, owner: Buffer = POINTER_TO_QUESTION, ttlS = 60): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(ttlS, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, fixed, data]);
}

const address = (last = 7): Buffer => Buffer.of(45, 83, 64 + (last >> 8), last & 0xff);
const name = (text: string): Buffer =>
  Buffer.concat([
    ...text.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)])),
    Buffer.of(0),
  ]);
/** Splits the bytes into the strings of at most 255 bytes of a TXT record. */
function strings(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255);
    parts.push(Buffer.of(part.length), part);
  }
  return Buffer.concat(parts);
}

const HOSTILE = 'v=spf1 \u0000\u001b[31m\u202e\u200b<script>alert(1)</script>\u2028 -all';

/** The datagrams that each mode sends over UDP; none where it is silent. */
function overUdp(query: Buffer, mode: BadDnsMode): readonly Buffer[] {
  if (mode.startsWith('tcp-') || mode === 'huge-text' || mode === 'many-records')
    return [reply(query, [], { isTruncated: true })];
  return answerOf(query, mode);
}

function answerOf(query: Buffer, mode: BadDnsMode): readonly Buffer[] {
  const { type, hasEdns } = readQuestion(query);
  const usual = reply(query, type === A ? [record(A, address())] : []);
  switch (mode) {
    case 'silent':
      return [];
    case 'servfail':
      return [reply(query, [], { rcode: 2 })];
    case 'refused':
      return [reply(query, [], { rcode: 5 })];
    case 'no-edns':
      return [
        hasEdns ? Buffer.concat([reply(query, [], { rcode: 1 }).subarray(0, 4), Buffer.alloc(8)]) : usual,
      ];
    case 'wrong-id':
      return [withId(usual, query.readUInt16BE(0) ^ 1)];
    case 'wrong-question':
      return [reply(renamed(query), [record(A, address(9))])];
    case 'forged-then-true':
      return [
        withId(reply(query, [record(A, address(9))]), query.readUInt16BE(0) ^ 1),
        reply(renamed(query), []),
        usual,
      ];
    case 'no-response-bit':
      return [query];
    case 'noise':
      return [withId(Buffer.concat([usual.subarray(0, 12), randomBytes(300)]), query.readUInt16BE(0))];
    default:
      return [malformed(query, mode, usual)];
  }
}

function malformed(query: Buffer, mode: BadDnsMode, usual: Buffer): Buffer {
  const { end } = readQuestion(query);
  const here = Buffer.of(0xc0 | (end >> 8), end & 0xff);
  switch (mode) {
    case 'compression-loop':
      return reply(query, [record(A, address(), here)]);
    case 'forward-pointer':
      return reply(query, [record(A, address(), Buffer.of(0xc0 | ((end + 30) >> 8), (end + 30) & 0xff))]);
    case 'many-records':
      return reply(
        query,
        Array.from({ length: 4_000 }, (_, i) => record(A, address(i))),
      );
    case 'count-lies':
      return reply(query, [record(A, address())], { count: 10_000 });
    case 'cut-off':
      return usual.subarray(0, usual.length - 3);
    case 'short-address':
      return reply(query, [record(A, Buffer.of(45, 83, 64))]);
    case 'other-owner':
      return reply(query, [record(A, address(9), name('somebody.else.com'))]);
    case 'alias-loop':
      return reply(query, [
        record(CNAME, name('b.example.com')),
        record(CNAME, POINTER_TO_QUESTION, name('b.example.com')),
      ]);
    case 'long-alias':
      return reply(query, [
        record(CNAME, name('n0.example.com')),
        ...Array.from({ length: 200 }, (_, i) =>
          record(CNAME, name(`n${i + 1}.example.com`), name(`n${i}.example.com`)),
        ),
      ]);
    case 'hostile-text':
      return reply(query, [record(TXT, strings(Buffer.from(HOSTILE)))]);
    case 'hostile-name':
      return reply(query, [
        record(readQuestion(query).type, Buffer.from('\u0004\u001b[3m\u0005a.b\r\n\u0000', 'latin1')),
      ]);
    case 'huge-text':
      return reply(query, [record(TXT, strings(Buffer.from(`v=spf1 ${'a'.repeat(64_000)}`)))]);
    case 'redirect-text':
      return reply(query, [record(TXT, strings(Buffer.from('v=spf1 redirect=slow.example.net')))]);
    case 'broken-text':
      return reply(query, [record(TXT, Buffer.of(200, 65, 66))]);
    default:
      return usual;
  }
}

function withId(message: Buffer, id: number): Buffer {
  const copy = Buffer.from(message);
  copy.writeUInt16BE(id, 0);
  return copy;
}

function renamed(query: Buffer): Buffer {
  const copy = Buffer.from(query);
  copy[13] = (copy[13] ?? 0) === 0x7a ? 0x79 : 0x7a;
  return copy;
}

function overTcp(socket: Socket, query: Buffer, mode: BadDnsMode): void {
  const framed = (message: Buffer) =>
    Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message]);
  if (mode === 'tcp-silent') return;
  if (mode === 'tcp-hangup') return void socket.end(Buffer.of(0xff, 0xff, 1, 2, 3));
  if (mode === 'tcp-refused') return void socket.destroy();
  if (mode === 'tcp-truncated') return void socket.end(framed(reply(query, [], { isTruncated: true })));
  if (mode === 'tcp-flood') flood(socket);
  else for (const message of answerOf(query, mode)) socket.write(framed(message));
}

function flood(socket: Socket): void {
  const chunk = Buffer.alloc(64 * 1024, 0xff);
  const pump = () => {
    while (!socket.destroyed && socket.write(chunk)) {
      // Writes until the socket's buffer is full.
    }
    if (!socket.destroyed) socket.once('drain', pump);
  };
  pump();
}
