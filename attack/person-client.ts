import { Agent, request } from 'node:http';
import type { Person, Target } from './attack.ts';
import { isLoopback } from './bystander.ts';

/** A browser of the dashboard without its pages: it keeps cookies and sends from an address of its own. */
export type PersonClient = {
  /** Returns the status; 0 stands for a connection that failed. */
  readonly send: (method: string, path: string, body?: unknown) => Promise<SentAnswer>;
  readonly signIn: (person: Person, password?: string) => Promise<SentAnswer>;
  readonly close: () => void;
};

export type SentAnswer = { readonly status: number; readonly text: string };

const FAILED: SentAnswer = { status: 0, text: '' };
const ANSWER_MAX_MS = 60_000;
const NETWORKS_MAX = 250;

/** The address of network `nth`: each is a /24 of its own. On loopback every address of 127.0.0.0/8 works. */
export const networkAddress = (target: Target, block: number, nth: number): string | undefined =>
  isLoopback(target)
    ? `127.${block + Math.floor(nth / NETWORKS_MAX)}.${1 + (nth % NETWORKS_MAX)}.1`
    : undefined;

/** `keepsCookies` is false for a caller that always comes as a new device. */
export function openClient(
  target: Target,
  { from, keepsCookies }: { readonly from: string | undefined; readonly keepsCookies: boolean },
): PersonClient {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 8,
    ...(from !== undefined && { localAddress: from }),
  });
  const cookies = new Map<string, string>();
  const keep = (lines: readonly string[]): void => {
    for (const line of lines) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
  };
  const send: PersonClient['send'] = (method, path, body) =>
    new Promise((resolve) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        // Browsers send it, and the service changes nothing without it.
        'sec-fetch-site': 'same-origin',
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
        ...(cookies.size > 0 && {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        }),
      };
      const url = new URL(path, target.url);
      const sent = request(url, { agent, method, headers, timeout: ANSWER_MAX_MS }, (answer) => {
        let received = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          received += chunk;
        });
        answer.on('end', () => {
          if (keepsCookies) keep(answer.headers['set-cookie'] ?? []);
          resolve({ status: answer.statusCode ?? 0, text: received });
        });
        answer.on('error', () => resolve(FAILED));
      });
      sent.on('timeout', () => sent.destroy());
      sent.on('error', () => resolve(FAILED));
      sent.end(text);
    });
  return {
    send,
    signIn: ({ email, password }, other = password) =>
      send('POST', '/api/auth/login', { email, password: other }),
    close: () => agent.destroy(),
  };
}
