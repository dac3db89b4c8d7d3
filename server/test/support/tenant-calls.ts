import { randomUUID } from 'node:crypto';
import { sleep } from './eventually.ts';

/** A service and where it listens. */
export type Where = { readonly url: string; readonly env: Readonly<Record<string, string>> };

const PAUSE_MS = 200;
const TRIES_MAX = 100;
const UNAVAILABLE = 503;

/** Repeats a request that an overloaded service answers with 503, because nothing was changed. */
export async function whileUnavailable(send: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send();
    if (answer.status !== UNAVAILABLE || tries === TRIES_MAX) return answer;
    await answer.text();
    await sleep(PAUSE_MS);
  }
}

/** A request of a tenant with its key, which must succeed. */
export async function post({ url }: Where, credential: string, path: string, body: object): Promise<unknown> {
  const headers = {
    'content-type': 'application/json',
    'x-api-key': credential,
    'idempotency-key': randomUUID(),
  };
  const answer = await whileUnavailable(() =>
    fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
  );
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
