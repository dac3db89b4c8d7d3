import { connect } from 'node:net';
import type { Attack, Target } from './attack.ts';

const ANSWER_MAX_MS = 20_000;
const DEEP = '['.repeat(30_000) + ']'.repeat(30_000);

type OddRequest = { readonly name: string; readonly lines: readonly string[]; readonly body?: string };

const basic = (pair: string): string => `Authorization: Basic ${Buffer.from(pair).toString('base64')}`;

const oddRequests = (target: Target): readonly OddRequest[] => [
  {
    name: 'an empty name of HTTP Basic',
    lines: ['GET /check?query=8.8.8.8 HTTP/1.1', 'Host: a', basic(':x')],
  },
  {
    name: 'an empty pair of HTTP Basic',
    lines: ['GET /check?query=8.8.8.8 HTTP/1.1', 'Host: a', basic(':')],
  },
  { name: 'two Host headers', lines: ['GET /livez HTTP/1.1', 'Host: a', 'Host: b'] },
  {
    name: 'deep JSON with an Idempotency-Key',
    lines: [
      'POST /submit HTTP/1.1',
      'Host: a',
      `X-API-KEY: ${target.attackerKey}`,
      'Idempotency-Key: attack-1',
      'Content-Type: application/json',
    ],
    body: `{"note":${DEEP}}`,
  },
  {
    name: 'a header of 100 KB',
    lines: ['GET /livez HTTP/1.1', 'Host: a', `X-Long: ${'a'.repeat(100_000)}`],
  },
  { name: 'a repeated parameter', lines: ['GET /check?query=8.8.8.8&query=1.1.1.1 HTTP/1.1', 'Host: a'] },
  { name: 'a path that is not UTF-8', lines: ['GET /check?query=%ff%fe%00 HTTP/1.1', 'Host: a'] },
];

/** An answer of 5xx means that a request ended in our own fault; no answer at all means that it hangs. */
export const oddRequest: Attack = {
  name: 'odd-requests',
  finding: 'A request that no client sends is refused with a sentence, never answered with 500.',
  run: async (target) => {
    const figures: Record<string, number> = {};
    for (const odd of oddRequests(target)) figures[odd.name] = await statusOf(target, odd);
    return { held: Object.values(figures).every((status) => status >= 200 && status < 500), figures };
  },
};

function statusOf(target: Target, { lines, body = '' }: OddRequest): Promise<number> {
  const { hostname, port } = new URL(target.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
    let answer = '';
    const end = (): void => {
      socket.destroy();
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0));
    };
    socket.setTimeout(ANSWER_MAX_MS, end);
    socket.on('error', end).on('close', end);
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1');
      if (/^HTTP\/1\.1 \d{3}/.test(answer)) end();
    });
    socket.write(`${[...lines, ...length, '', ''].join('\r\n')}${body}`);
  });
}
