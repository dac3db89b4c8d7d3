import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { LINK } from './firewall-report.ts';

/**
 * The machine beside the firewall, in a network namespace of its own: sends one datagram from each address that it reads,
 * as if it were the router in front of the firewall.
 */
const PAUSE_EVERY = 20;
const { firewall, neighbour, port } = LINK;
const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' });
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (line: string) => process.stdout.write(`${line}\n`);

say('here');
await lines.next();
ip('link', 'set', 'lo', 'up');
ip('link', 'set', 'far', 'address', neighbour.mac, 'up');
ip('addr', 'add', `${neighbour.v4}/24`, 'dev', 'far');
ip('-6', 'addr', 'add', `${neighbour.v6}/64`, 'dev', 'far', 'nodad');
ip('neigh', 'replace', firewall.v4, 'lladdr', firewall.mac, 'dev', 'far');
ip('-6', 'neigh', 'replace', firewall.v6, 'lladdr', firewall.mac, 'dev', 'far');
// Every address but the firewall's is local to this machine, so a socket may send from any of them.
ip('route', 'add', 'local', '0.0.0.0/0', 'dev', 'lo', 'table', 'local');
ip('route', 'add', `${firewall.v4}/32`, 'dev', 'far', 'table', 'local');
writeFileSync('/proc/sys/net/ipv6/ip_nonlocal_bind', '1');

for (let at = 0; ; at += 1) {
  const { value: source, done } = await lines.next();
  if (done === true || source === 'end') break;
  await sendFrom(String(source));
  // Pauses, because the receiver is one process with a buffer of about 250 datagrams.
  if (at % PAUSE_EVERY === 0) await delay(2);
}
say('sent');

function sendFrom(source: string): Promise<void> {
  const isV6 = isIPv6(source);
  const socket = createSocket(isV6 ? 'udp6' : 'udp4');
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(0, source, () =>
      socket.send(source, port, isV6 ? firewall.v6 : firewall.v4, (error) => {
        socket.close();
        if (error) reject(new Error(`No packet from ${source}: ${error.message}`));
        else resolve();
      }),
    );
  });
}
