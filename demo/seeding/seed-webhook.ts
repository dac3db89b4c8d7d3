import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchersOf } from '../../server/src/app/watchers-of.ts';
import { openLetters } from '../../server/src/capabilities/letters/index.ts';
import {
  changeWebhook,
  createWebhook,
  listDeliveries,
  startSender,
  verifyWebhook,
  webhooksWorkerPart,
} from '../../server/src/capabilities/webhooks/index.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { createOutbound, type Outbound } from '../../server/src/platform/outbound.ts';
import { createSecrets } from '../../server/src/platform/secrets.ts';
import { HOUR_MS } from '../../server/src/platform/time-units.ts';
import { WEBHOOK } from '../sample/organization.ts';
import { handleEvents } from './handle-events.ts';
import type { Account } from './seed-account.ts';
import { clockAt, type Seeding } from './seeding.ts';

type By = Account['by'];

const CREATED_AGO_MS = 30 * HOUR_MS;
const SENT_WITHIN_MS = 10_000;
const POLL_MS = 50;
const RETRY_MS = [100, 200, 400] as const;
/** The third request is answered with 503, so that one delivery needed two attempts. */
const BUSY_REQUEST = 3;

/**
 * Creates a webhook, sends it the events so far and pauses it. The service sends webhooks to public addresses alone, and
 * that rule stays: here the seeding sends, over connections that lead to its own receiver on loopback and nowhere else.
 */
export async function seedWebhook(seeding: Seeding, by: By): Promise<void> {
  const { config, log, postgres, system, todayMs } = seeding;
  const clock = systemClock();
  const secrets = createSecrets(config.SECRET_KEY);
  const granted = { granted: true, limit: 1, resetMs: 0, retryAfterMs: 0 };
  const guard = { spend: () => Promise.resolve(granted) };
  const checkUrl = () => Promise.resolve();
  const deps = { postgres, secrets, clock, checkUrl, guard, verificationsPerHour: 1 };
  const created = { ...deps, clock: clockAt(todayMs - CREATED_AGO_MS) };
  const { webhook } = await createWebhook(created, by, {
    ...WEBHOOK,
    events: [...WEBHOOK.events],
    enabled: true,
  });
  await consent(created, seeding, by, webhook.id);
  const receiver = await startReceiver();
  const outbound = outboundTo(receiver, seeding);
  const letters = openLetters({ config, clock });
  const worker = { clock, letters, secrets, outbound, watchersOf };
  await handleEvents(seeding, webhooksWorkerPart(worker).readers);
  const sender = startSender({ ...worker, postgres: system, log, retryMs: RETRY_MS });
  try {
    const endMs = performance.now() + SENT_WITHIN_MS;
    while ((await waitingOf(deps, by, webhook.id)) > 0 && performance.now() < endMs) await sleep(POLL_MS);
  } finally {
    await sender.stop();
    await outbound.close();
    await receiver.close();
  }
  await changeWebhook(deps, by, webhook.id, { enabled: false });
}

/** The receiver of the demo agrees as a person would: with the challenge that it was sent. */
async function consent(
  deps: Parameters<typeof verifyWebhook>[0],
  { system }: Seeding,
  by: By,
  id: string,
): Promise<void> {
  const { rows } = await system.pool.query<{ challenge: string }>(
    'select challenge from webhook_endpoint where id = $1',
    [id],
  );
  await verifyWebhook(deps, by, id, rows[0]?.challenge ?? '');
}

async function waitingOf(deps: Parameters<typeof listDeliveries>[0], by: By, id: string): Promise<number> {
  const { total } = await listDeliveries(deps, by.principal, id, { status: 'pending', page: 1, limit: 1 });
  return total;
}

type Receiver = { readonly port: number; readonly close: () => Promise<void> };

async function startReceiver(): Promise<Receiver> {
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      requests += 1;
      const isBusy = requests === BUSY_REQUEST;
      response
        .writeHead(isBusy ? 503 : 200, { 'content-type': 'application/json' })
        .end(isBusy ? '{"message":"Busy, try again."}' : `{"ticket":"T-${1_000 + requests}"}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Requests to the invented URL of the webhook arrive at the receiver; every other URL is refused. */
function outboundTo({ port }: Receiver, { log }: Seeding): Outbound {
  const loopback = createOutbound({ log, clock: systemClock(), allow: [`127.0.0.1/32:${port}`] });
  return {
    fetch: (url, options) => {
      if (String(url) !== WEBHOOK.url) throw new Error('The seeding sends to its own receiver alone.');
      const { pathname } = new URL(url);
      return loopback.fetch(`http://127.0.0.1:${port}${pathname}`, {
        ...options,
        schemes: ['http'],
        ports: [port],
      });
    },
    close: loopback.close,
  };
}
