import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Target } from './attack.ts';
import { pairIn } from './bystander.ts';

/** A stolen pair signs in and makes a key of its own, which must end when the stolen pair is revoked. */
export const keyLineage: Attack = {
  name: 'key-lineage',
  finding: 'A key made in a session of a stolen key ends with the stolen key.',
  run: async (target) => {
    const owner = await signIn(target, pairIn(target.bystanderKey));
    const stolen = await makeKey(target, owner);
    await statusSoon(target, stolen, 200);
    const kept = await makeKey(target, await signIn(target, stolen));
    const before = await statusSoon(target, kept, 200);
    await callApi(target, 'DELETE', `/api/user/keys/${stolen.id}`, owner);
    const after = await statusSoon(target, kept, 401);
    return { held: before === 200 && after === 401, figures: { before, after } };
  },
};

type KeyPair = { readonly apiKey: string; readonly apiSecret: string };
type MadeKey = KeyPair & { readonly id: string };
type Headers = Readonly<Record<string, string>>;

/** A new key and a revocation reach every process within a second; a busy machine may take longer. */
const KNOWN_WITHIN_MS = 10_000;
const PAUSE_MS = 100;
const pairOf = ({ apiKey, apiSecret }: KeyPair): string =>
  Buffer.from(`${apiKey}:${apiSecret}`).toString('base64');

async function callApi(target: Target, method: string, path: string, headers: Headers, body?: unknown) {
  const answer = await fetch(new URL(path, target.url), {
    method,
    headers: {
      ...headers,
      'sec-fetch-site': 'same-origin',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`);
  return { answer, json: text === '' ? {} : (JSON.parse(text) as unknown) };
}

async function makeKey(target: Target, headers: Headers): Promise<MadeKey> {
  const { json } = await callApi(target, 'POST', '/api/user/keys', headers, { label: 'attack' });
  return json as MadeKey;
}

async function signIn(target: Target, { apiKey, apiSecret }: KeyPair): Promise<Headers> {
  const { answer } = await callApi(target, 'POST', '/api/auth/session', {}, { apiKey, apiSecret });
  return {
    cookie: answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; '),
  };
}

const statusOf = async (target: Target, key: KeyPair): Promise<number> =>
  (await fetch(new URL('/check?query=198.51.100.7', target.url), { headers: { 'x-api-key': pairOf(key) } }))
    .status;

async function statusSoon(target: Target, key: KeyPair, wanted: number): Promise<number> {
  const endMs = performance.now() + KNOWN_WITHIN_MS;
  let status = await statusOf(target, key);
  while (status !== wanted && performance.now() < endMs) {
    await sleep(PAUSE_MS);
    status = await statusOf(target, key);
  }
  return status;
}
