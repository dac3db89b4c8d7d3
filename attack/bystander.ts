import { Agent, request } from 'node:http';
import type { AttackResult, Target } from './attack.ts';

/** A request that a caller beside the attack sends again and again. */
export type Probe = {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The statuses of a calm day. */
  readonly expected: readonly number[];
  readonly times: number;
};

type Seen = { readonly status: number; readonly ms: number };

/** A connection that fails counts as status 0. */
const FAILED = 0;
const ANSWER_MAX_MS = 60_000;
/** On loopback every address of 127.0.0.0/8 works without being configured. */
export const isLoopback = (target: Target): boolean => new URL(target.url).hostname.startsWith('127.');
/** A caller that shares the address of an attacker shares its limits by address, so the bystander has another. */
const BYSTANDER_ADDRESS = '127.0.0.2';

export const checkProbe = (target: Target, times: number): Probe => ({
  name: 'check',
  method: 'GET',
  path: '/check?query=198.51.100.7',
  headers: { 'x-api-key': target.bystanderKey },
  expected: [200],
  times,
});

/** The two halves of an X-API-KEY header. */
export function pairIn(header: string): { readonly apiKey: string; readonly apiSecret: string } {
  const [apiKey = '', apiSecret = ''] = Buffer.from(header, 'base64').toString().split(':');
  return { apiKey, apiSecret };
}

/** Signs in with the pair of the bystander, as the page of the dashboard does. */
export function signInProbe(target: Target, times: number): Probe {
  return {
    name: 'signIn',
    method: 'POST',
    path: '/api/auth/session',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(pairIn(target.bystanderKey)),
    expected: [200, 201],
    times,
  };
}

/**
 * Sends every probe a few times on a calm service, then again while `attack` works, and compares. The attack has begun
 * when it calls `begun`, and ends when the signal is aborted.
 */
export async function besideAttack(
  target: Target,
  probes: readonly Probe[],
  attack: (begun: () => void, signal: AbortSignal) => Promise<void>,
): Promise<AttackResult> {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 4,
    ...(isLoopback(target) && { localAddress: BYSTANDER_ADDRESS }),
  });
  const figures: Record<string, number> = {};
  let held = true;
  try {
    const calm = new Map<Probe, Seen[]>();
    for (const probe of probes)
      calm.set(probe, await sendAll(target, agent, probe, Math.ceil(probe.times / 4)));
    const over = new AbortController();
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const working = attack(resolve, over.signal);
    await Promise.race([begun, working]);
    const seen = await Promise.all(probes.map((probe) => sendAll(target, agent, probe, probe.times)));
    over.abort();
    await working;
    probes.forEach((probe, index) => {
      const during = seen[index] ?? [];
      const ok = during.filter(({ status }) => probe.expected.includes(status)).length;
      held &&= ok === probe.times;
      figures[`${probe.name} sent`] = probe.times;
      figures[`${probe.name} answered`] = ok;
      figures[`${probe.name} p99 ms calm`] = percentile(calm.get(probe) ?? []);
      figures[`${probe.name} p99 ms attacked`] = percentile(during);
    });
  } finally {
    agent.destroy();
  }
  return { held, figures };
}

async function sendAll(target: Target, agent: Agent, probe: Probe, times: number): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (let i = 0; i < times; i += 1) {
    const startedMs = performance.now();
    const status = await send(target, agent, probe);
    seen.push({ status, ms: performance.now() - startedMs });
  }
  return seen;
}

function send(target: Target, agent: Agent, probe: Probe): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(
      new URL(probe.path, target.url),
      {
        agent,
        method: probe.method,
        headers: { ...probe.headers, ...lengthOf(probe.body) },
        timeout: ANSWER_MAX_MS,
      },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? FAILED));
        answer.on('error', () => resolve(FAILED));
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(FAILED));
    sent.end(probe.body);
  });
}

const lengthOf = (body: string | undefined): Record<string, string> =>
  body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };

function percentile(seen: readonly Seen[]): number {
  const sorted = seen.map(({ ms }) => ms).sort((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * 0.99)] ?? 0) * 10) / 10;
}
