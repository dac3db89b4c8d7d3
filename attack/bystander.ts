import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { AttackResult, Target } from './attack.ts';
import type { Asked, Probe, Seen } from './probe.ts';

const THREAD = new URL('./bystander-thread.ts', import.meta.url);
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
  const threads = probes.map(
    (probe) =>
      new Worker(THREAD, {
        workerData: {
          url: target.url,
          probe,
          ...(isLoopback(target) && { localAddress: BYSTANDER_ADDRESS }),
        },
      }),
  );
  const sendAll = (probe: Probe, times: number) =>
    sendFrom(threads[probes.indexOf(probe)] as Worker, { times });
  const figures: Record<string, number> = {};
  let held = true;
  try {
    const calm = new Map<Probe, readonly Seen[]>();
    for (const probe of probes) calm.set(probe, await sendAll(probe, Math.ceil(probe.times / 4)));
    const over = new AbortController();
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const working = attack(resolve, over.signal);
    await Promise.race([begun, working]);
    const seen = await Promise.all(probes.map((probe) => sendAll(probe, probe.times)));
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
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
  return { held, figures };
}

/** The caller has a thread of its own, so that its times hold no work of the attacker. */
async function sendFrom(thread: Worker, asked: Asked): Promise<readonly Seen[]> {
  thread.postMessage(asked);
  const [seen] = (await once(thread, 'message')) as [readonly Seen[]];
  return seen;
}

function percentile(seen: readonly Seen[]): number {
  const sorted = seen.map(({ ms }) => ms).sort((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * 0.99)] ?? 0) * 10) / 10;
}
