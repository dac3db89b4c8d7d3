import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Target } from './attack.ts';
import { pairIn } from './bystander.ts';

/** The evidence had 8 values; at strength 1 each way is tried with ten times as many. */
const VALUES = 80;
const FIELDS = new Set(['score', 'level', 'word', 'riskScore', 'malicious', 'blocklistHits']);

/** A caller of the smallest plan asks for verdicts in every way but /check, and counts those that no check paid for. */
export const quotaBypass: Attack = {
  name: 'quota-bypass',
  finding: 'A verdict on a value of the caller’s choice costs a check, whichever route gives it.',
  run: async (target) => {
    const session = await signIn(target);
    const key = { 'x-api-key': target.attackerKey };
    const values = Math.max(8, Math.ceil(VALUES * target.strength));
    const figures: Record<string, number> = {};
    let free = 0;
    for (const [name, { as, ask }] of Object.entries(WAYS)) {
      const before = await spentChecks(target, session);
      let given = 0;
      for (let nth = 0; nth < values; nth += 1)
        if (await ask(target, as === 'key' ? key : session, nth)) given += 1;
      const checks = (await spentChecks(target, session)) - before;
      figures[`${name} verdicts`] = given;
      figures[`${name} checks`] = checks;
      free += Math.max(0, given - checks);
    }
    return { held: free === 0, figures: { ...figures, 'verdicts without a check': free } };
  },
};

type Headers = Readonly<Record<string, string>>;
type Ask = (target: Target, headers: Headers, nth: number) => Promise<boolean>;

/** Addresses and ranges that no other attack asks about, each once: the same page again is free. */
const addressOf = (nth: number): string => `23.77.${nth >> 7}.${(nth & 127) * 2}`;
/** As many addresses for each way as it may ask about. */
const APART = 1_000;

const WAYS: Readonly<Record<string, { readonly as: 'key' | 'session'; readonly ask: Ask }>> = {
  history: {
    as: 'session',
    ask: (target, headers, nth) =>
      hasVerdict(target, 'GET', `/api/threat-intel/history?entity=${addressOf(nth)}`, headers),
  },
  watch: {
    as: 'session',
    ask: async (target, headers, nth) => {
      const value = addressOf(nth + APART);
      const given = await hasVerdict(target, 'POST', '/api/monitoring', headers, { value });
      await hasVerdict(target, 'POST', '/api/monitoring/unwatch', headers, { value });
      return given;
    },
  },
  network: {
    as: 'key',
    ask: (target, headers, nth) =>
      hasVerdict(target, 'GET', `/threat-intel/network?cidr=${addressOf(nth + 2 * APART)}/31`, headers),
  },
  search: {
    as: 'session',
    ask: (target, headers, nth) =>
      hasVerdict(target, 'POST', `/api/search?keywords=paypal${nth}.com`, headers),
  },
};

/** Whether the answer says of any value how it is judged. A page of members that lists none has no verdict. */
async function hasVerdict(
  target: Target,
  method: string,
  path: string,
  headers: Headers,
  body?: unknown,
): Promise<boolean> {
  const { status, text } = await send(target, method, path, headers, body);
  return status < 300 && text.startsWith('{') && holdsVerdict(JSON.parse(text));
}

/** Waits while the burst of the caller is spent. */
async function send(target: Target, method: string, path: string, headers: Headers, body?: unknown) {
  for (;;) {
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
    if (answer.status !== 429 || !text.includes('"rateLimit"')) return { status: answer.status, text };
    await sleep(1_000 * Number(answer.headers.get('retry-after') ?? 1));
  }
}

function holdsVerdict(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, held]) => (FIELDS.has(name) && held !== null && held !== undefined) || holdsVerdict(held),
  );
}

/** Checks of the month. Asking costs none. */
async function spentChecks(target: Target, headers: Headers): Promise<number> {
  const { status, text } = await send(target, 'GET', '/api/metrics/subscription', headers);
  if (status !== 200) throw new Error(`/api/metrics/subscription answered ${status}.`);
  return (JSON.parse(text) as { monthly: { used: number } }).monthly.used;
}

async function signIn(target: Target): Promise<Headers> {
  const answer = await fetch(new URL('/api/auth/session', target.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(pairIn(target.attackerKey)),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`Signing in answered ${answer.status}.`);
  return {
    cookie: answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; '),
  };
}
