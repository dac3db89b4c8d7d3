import { randomBytes, randomInt } from 'node:crypto';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Target } from './attack.ts';
import { besideAttack, isLoopback } from './bystander.ts';

/** At strength 1: ten times the two accounts and four connections that once held every scan slot of a node. */
const ACCOUNTS = 20;
const CONNECTIONS = 40;
const SCANS = 50;
const DRIP_MS = 500;
const REOPEN_MS = 100;
/** The service gives three instant keys a day to an IP address. */
const KEYS_PER_ADDRESS = 3;

type Scan = { readonly path: string; readonly body: unknown };

const halfSentScans = (name: string, finding: string, { path, body }: Scan): Attack => ({
  name,
  finding,
  run: async (target) => {
    const keys = await attackerKeys(target, Math.max(2, Math.ceil(ACCOUNTS * target.strength)));
    const probe = {
      name: 'scan',
      method: 'POST' as const,
      path,
      headers: { 'x-api-key': target.bystanderKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      expected: [200],
      times: SCANS,
    };
    const connections = Math.max(4, Math.ceil(CONNECTIONS * target.strength));
    const { held, figures } = await besideAttack(target, [probe], async (begun, signal) => {
      const senders = Array.from({ length: connections }, (_, nth) =>
        sendByteByByte(target, path, keys[nth % keys.length] ?? '', signal),
      );
      await sleep(2 * DRIP_MS);
      begun();
      await Promise.all(senders);
    });
    return { held, figures: { accounts: keys.length, connections, ...figures } };
  },
});

export const mailScanSlots = halfSentScans(
  'mail-scan-slots',
  'Scans whose body is begun and not ended must not stop the mail scans of others.',
  {
    path: '/mail/scan',
    body: { eml: 'From: a@example.com\r\nSubject: hello\r\n\r\nhello\r\n' },
  },
);

export const gateScanSlots = halfSentScans(
  'gate-scan-slots',
  'Scans whose body is begun and not ended must not stop the text scans of others.',
  { path: '/gate/scan', body: { content: 'hello' } },
);

/** Keeps one body under way until the attack is over: a byte at a time, and anew when the service ends it. */
async function sendByteByByte(target: Target, path: string, key: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const socket = await openHalfSent(target, path, key);
    while (!signal.aborted && !socket.destroyed && socket.writable) {
      await sleep(DRIP_MS);
      socket.write(' ');
    }
    socket.destroy();
    await sleep(REOPEN_MS);
  }
}

function openHalfSent(target: Target, path: string, key: string): Promise<Socket> {
  const { hostname, port } = new URL(target.url);
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: attack',
    `X-API-KEY: ${key}`,
    'Content-Type: application/json',
    'Content-Length: 4000',
    '',
    '{',
  ].join('\r\n');
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(head);
      resolve(socket);
    });
    // No failure: the attack expects the service to refuse or end connections.
    socket.on('error', () => resolve(socket)).resume();
  });
}

/** Instant keys, as a stranger gets them; the key of the attacker alone where the service gives no more of them. */
async function attackerKeys(target: Target, count: number): Promise<readonly string[]> {
  const keys: string[] = [];
  // Other addresses in each attack, because the service counts for a day.
  const network = `127.${2 + randomInt(250)}.${randomInt(256)}`;
  for (let nth = 0; nth < count; nth += 1) {
    const key = await instantKey(target, `${network}.${1 + Math.floor(nth / KEYS_PER_ADDRESS)}`);
    if (key === null) break;
    keys.push(key);
  }
  return keys.length > 0 ? keys : [target.attackerKey];
}

function instantKey(target: Target, localAddress: string): Promise<string | null> {
  const body = JSON.stringify({ email: `attack-${randomBytes(8).toString('hex')}@example.com` });
  return new Promise((resolve) => {
    const sent = request(
      new URL('/api/keys/instant', target.url),
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        ...(isLoopback(target) && { localAddress }),
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        answer.on('end', () => resolve(answer.statusCode === 201 ? keyIn(text) : null));
        answer.on('error', () => resolve(null));
      },
    );
    sent.on('error', () => resolve(null)).end(body);
  });
}

function keyIn(answer: string): string {
  const { apiKey, apiSecret } = JSON.parse(answer) as { readonly apiKey: string; readonly apiSecret: string };
  return Buffer.from(`${apiKey}:${apiSecret}`).toString('base64');
}
