import { connect, type Socket } from 'node:net';
import type { Attack, Target } from './attack.ts';
import { besideAttack, checkProbe } from './bystander.ts';

const CONNECTIONS = 120;
const REQUESTS_EACH = 450;
const CHECKS = 200;

export const stalledReaders: Attack = {
  name: 'stalled-readers',
  finding: 'Connections that ask for many files at once and never read them must not stop a check.',
  run: async (target) => {
    const path = await largestFile(target);
    const connections = Math.ceil(CONNECTIONS * target.strength);
    const burst = `GET ${path} HTTP/1.1\r\nHost: attack\r\n\r\n`.repeat(REQUESTS_EACH);
    return besideAttack(target, [checkProbe(target, CHECKS)], async (begun, signal) => {
      const sockets = await Promise.all(Array.from({ length: connections }, () => openUnread(target)));
      for (const socket of sockets) socket.write(burst);
      begun();
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      for (const socket of sockets) socket.destroy();
    });
  },
};

/** Path of a large answer: a script of the dashboard, or the OpenAPI description where no dashboard is built. */
async function largestFile(target: Target): Promise<string> {
  const page = await (await fetch(new URL('/app/', target.url))).text();
  return /\/app\/assets\/[\w.-]+\.js/.exec(page)?.[0] ?? '/openapi.json';
}

function openUnread(target: Target): Promise<Socket> {
  const { hostname, port } = new URL(target.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.on('error', () => undefined).pause();
      resolve(socket);
    });
    socket.once('error', reject);
  });
}
