import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import type { Asked, Probe, Seen } from './probe.ts';

/** Worker thread of one probe: sends its request as often as the parent asks, one at a time, and reports results. */

/** A connection that fails counts as status 0. */
const FAILED = 0;
const ANSWER_MAX_MS = 60_000;
const { url, probe, localAddress } = workerData as {
  readonly url: string;
  readonly probe: Probe;
  readonly localAddress?: string;
};
const agent = new Agent({
  keepAlive: true,
  maxSockets: 4,
  ...(localAddress !== undefined && { localAddress }),
});

parentPort?.on('message', ({ times }: Asked) => {
  void sendAll(times).then((seen) => parentPort?.postMessage(seen));
});

async function sendAll(times: number): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for (let i = 0; i < times; i += 1) {
    const startedMs = performance.now();
    const status = await send();
    seen.push({ status, ms: performance.now() - startedMs });
  }
  return seen;
}

function send(): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(
      new URL(probe.path, url),
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
