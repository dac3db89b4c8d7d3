import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import ipaddr from 'ipaddr.js';
import { makeAuthority } from '#test/peers/tls-peer.ts';
import { NETWORK, PEER_NAME, REFERRALS, ZONE } from './egress-corpus.ts';

/** The peers of the corpus: a name server, a web server with and without TLS, and a WHOIS server. */

const { peer, names } = NETWORK;
const TYPES = { 1: 'a', 28: 'aaaa' } as const;
const CNAME = 5;

// The parent moves the link into this namespace, which is configured once the parent says so.
process.stdout.write('waiting\n');
await once(process.stdin, 'data');
// The parent has exited.
process.stdin.on('end', () => process.exit(0)).resume();
const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' });
ip('link', 'set', 'lo', 'up');
for (const address of [`${peer.v4}/24`, `${names}/24`]) ip('addr', 'add', address, 'dev', 'far');
ip('-6', 'addr', 'add', `${peer.v6}/64`, 'dev', 'far', 'nodad');
ip('link', 'set', 'far', 'up');

const authority = makeAuthority();
const { cert, key } = authority.issue({ names: [`DNS:${PEER_NAME}`, 'DNS:*.example.com'] });
authority.close();

/** `/to/STATUS/URL` redirects to the URL; any other path is the page. */
const answer: RequestListener = (request, response) => {
  const [, status, target] = /^\/to\/(\d+)\/(.+)$/.exec(request.url ?? '') ?? [];
  response.setHeader('connection', 'close');
  if (status === undefined || target === undefined) response.end('reached');
  // Written as raw bytes, because the location may hold characters that no valid URL has.
  else
    response
      .writeHead(Number(status), { location: Buffer.from(decodeURIComponent(target)).toString('latin1') })
      .end();
};
const whois = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', (question: Buffer) => {
    const zone = /^z(\d+)\r\n$/.exec(question.toString('latin1'))?.[1];
    socket.end(zone === undefined ? 'registrar: reached\r\n' : `refer: ${REFERRALS[Number(zone)]}\r\n`);
  });
});
for (const host of [peer.v4, peer.v6]) {
  createHttpServer(answer).listen(80, host);
  createHttpsServer({ cert, key }, answer).listen(443, host);
}
whois.listen(43, peer.v4);

const asked = new Map<string, number>();
const server = createSocket('udp4');
server.on('message', (query, from) => server.send(reply(query), from.port, from.address));
server.bind(53, names);
await once(server, 'listening');
process.stdout.write(`ready ${JSON.stringify({ authority: authority.pem })}\n`);

function reply(query: Buffer): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  const name = labels.join('.');
  const code = query.readUInt16BE(at + 1);
  const entry = ZONE[name];
  const type = code === 1 || code === 28 ? TYPES[code] : null;
  const turns = entry === undefined || type === null ? [] : (entry[type] ?? []);
  const turn = asked.get(`${code} ${name}`) ?? 0;
  asked.set(`${code} ${name}`, turn + 1);
  const addresses = turns[turn % Math.max(1, turns.length)] ?? [];
  const chain = [name, ...(entry?.through ?? [])];
  const records = [
    ...chain.slice(1).map((next, i) => record(chain[i] ?? '', CNAME, encodeName(next))),
    ...addresses.map((each) =>
      record(chain.at(-1) ?? '', code, Buffer.from(ipaddr.parse(each).toByteArray())),
    ),
  ];
  const head = Buffer.from(query.subarray(0, at + 5));
  head.writeUInt16BE(0x8180 | (entry === undefined ? 3 : 0), 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...records]);
}

function record(name: string, type: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(name), fields, data]);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.of(0)]);
}
