import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#platform/clock.ts';
import type { Outbound } from '#platform/outbound.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import type { ProbeResult } from './store.ts';

export type CanaryDeps = {
  readonly clock: Clock;
  readonly outbound: Outbound;
  /** Without a slash at its end. */
  readonly url: string;
  readonly credential: string;
};

const CALL_MS = 5_000;
/** How long a node may take to show a reported indicator. */
const SEEN_WITHIN_MS = 10_000;
const PAUSE_MS = 200;
const BYTES_MAX = 4 * 1024 * 1024;
const CATEGORIES = ['malware', 'phishing'] as const;

/** The reported value: always the same, so that tables do not grow, and a hash, so that no real host is reported. */
const VALUE = createHash('sha256').update('assay canary').digest('hex');

/**
 * Reports one indicator, checks it and reads it from its collection, through the public interface as a customer does.
 * If the account has a webhook, a test is delivered to it. The category of the indicator changes every hour, so that
 * the steps after the report also show that changes arrive; reports between repeat the category and leave no row.
 */
export async function runCanary(deps: CanaryDeps, signal: AbortSignal): Promise<readonly ProbeResult[]> {
  const category = CATEGORIES[Math.floor(deps.clock.now() / HOUR_MS) % 2] ?? 'malware';
  const webhookId = await findWebhook(deps, signal).catch(() => null);
  const steps: readonly (readonly [string, () => Promise<void>])[] = [
    ['indicator', () => report(deps, category, signal)],
    ['check', () => until(deps, signal, () => isChecked(deps, category, signal))],
    ['taxii', () => until(deps, signal, () => isCollected(deps, category, signal))],
    ...(webhookId === null ? [] : [['webhook', () => deliverTest(deps, webhookId, signal)] as const]),
  ];
  const results: ProbeResult[] = [];
  for (const [probe, step] of steps) results.push({ probe, ms: await timed(deps.clock, step) });
  return results;
}

async function timed(clock: Clock, step: () => Promise<void>): Promise<number | null> {
  const startedMs = clock.monotonic();
  try {
    await step();
    return Math.round((clock.monotonic() - startedMs) * 10) / 10;
  } catch {
    return null;
  }
}

async function until(deps: CanaryDeps, signal: AbortSignal, isSo: () => Promise<boolean>): Promise<void> {
  const endMs = deps.clock.monotonic() + SEEN_WITHIN_MS;
  while (!(await isSo())) {
    if (deps.clock.monotonic() > endMs) throw new Error('It was not seen in time.');
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

async function call(
  { outbound, url, credential }: CanaryDeps,
  path: string,
  signal: AbortSignal,
  body?: object,
): Promise<unknown> {
  const { port } = new URL(url);
  const answer = await outbound.fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-api-key': credential,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    deadlineMs: CALL_MS,
    bytesMax: BYTES_MAX,
    // The operator configured this address, so every scheme and port is allowed.
    schemes: ['http', 'https'],
    ...(port !== '' && { ports: [Number(port)] }),
    signal,
  });
  const text = await answer.text();
  if (answer.status !== 200 && answer.status !== 202) throw new Error(`${path} answered ${answer.status}.`);
  return JSON.parse(text);
}

async function report(deps: CanaryDeps, category: string, signal: AbortSignal): Promise<void> {
  const item = { type: 'hash', value: VALUE, category, comment: 'Canary of the status page.' };
  await call(deps, '/org/indicators', signal, { indicators: [item] });
}

async function isChecked(deps: CanaryDeps, category: string, signal: AbortSignal): Promise<boolean> {
  const answer = (await call(deps, `/check?query=${VALUE}&enrichment=basic`, signal)) as {
    readonly sources?: readonly { readonly categories?: readonly string[] }[];
  };
  return answer.sources?.some(({ categories }) => categories?.includes(category) === true) === true;
}

async function isCollected(deps: CanaryDeps, category: string, signal: AbortSignal): Promise<boolean> {
  const path = '/taxii/api-root/collections/org-reported-file-hashes/objects?limit=1001';
  const { objects = [] } = (await call(deps, path, signal)) as {
    readonly objects?: readonly { readonly pattern?: string; readonly labels?: readonly string[] }[];
  };
  return objects.some(
    ({ pattern, labels }) => pattern?.includes(VALUE) === true && labels?.includes(category) === true,
  );
}

/** The first webhook of the account that is enabled; null where it has none. */
async function findWebhook(deps: CanaryDeps, signal: AbortSignal): Promise<string | null> {
  const { webhooks = [] } = (await call(deps, '/user/webhooks', signal)) as {
    readonly webhooks?: readonly { readonly id: string; readonly enabled: boolean }[];
  };
  return webhooks.find(({ enabled }) => enabled)?.id ?? null;
}

async function deliverTest(deps: CanaryDeps, webhookId: string, signal: AbortSignal): Promise<void> {
  const path = `/user/webhooks/${webhookId}`;
  const { delivery } = (await call(deps, `${path}/test`, signal, {})) as {
    readonly delivery: { readonly id: string };
  };
  await until(deps, signal, async () => {
    const { deliveries } = (await call(deps, `${path}/deliveries?status=delivered&limit=5`, signal)) as {
      readonly deliveries: readonly { readonly id: string }[];
    };
    return deliveries.some(({ id }) => id === delivery.id);
  });
}
