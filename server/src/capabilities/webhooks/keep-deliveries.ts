import { badRequest, notFound, ServiceError } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';
import { firstIdOf, newId } from '#platform/ids.ts';
import { enqueue } from '#platform/jobs.ts';
import type { Db } from '#platform/postgres.ts';
import {
  type Delivery,
  type DeliveryList,
  type DeliveryQuery,
  REPLAYED,
  type ReplayBody,
  type ReplayReply,
} from './contract.ts';
import {
  countDeliveries,
  countOnce,
  countSpan,
  type DeliveryRow,
  insertDeliveries,
  selectDeliveries,
  selectDelivery,
  sendOnce,
} from './delivery-store.ts';
import { endpointOf, lockedEndpointOf, note } from './keep-endpoints.ts';
import { wakeLane } from './lane-store.ts';
import { presentDelivery } from './present.ts';
import { askForVerification, spendVerification } from './verification.ts';
import { type Acting, KEPT_MS, REPLAY_JOB, type WebhooksDeps } from './webhooks-deps.ts';
import { bodyOf } from './write-deliveries.ts';

const REPLAY_ATTEMPTS = 5;
/** A delivery by request may occupy a receiver for 15 seconds, so few may wait; a replay sends more, in order. */
const ONCE_MAX = 20;
const isDeliveryId = (id: string): boolean => /^dlv_[0-9A-Z]+$/.test(id);

export const listDeliveries = (
  { postgres }: WebhooksDeps,
  { accountId }: Principal,
  id: string,
  { status, page, limit }: DeliveryQuery,
): Promise<DeliveryList> =>
  postgres.withAccount(accountId, async (tx) => {
    await endpointOf(tx, accountId, id);
    const statuses =
      status === undefined
        ? null
        : status === 'pending'
          ? (['pending', 'once'] as const)
          : ([status] as const);
    const filter = { endpointId: id, statuses };
    return {
      deliveries: (await selectDeliveries(tx, filter, { page, limit })).map(presentDelivery),
      total: await countDeliveries(tx, filter),
      page,
      limit,
    };
  });

/**
 * Sends a test at once, also to a disabled endpoint, so that its owner sees whether it answers again. A host that has not consented is
 * asked for that instead.
 */
export async function testWebhook(
  deps: WebhooksDeps,
  by: Acting,
  id: string,
): Promise<{ readonly delivery: Delivery }> {
  const { postgres, clock } = deps;
  const { accountId } = by.principal;
  const { verified } = await postgres.withAccount(accountId, (tx) => endpointOf(tx, accountId, id));
  if (!verified) await spendVerification(deps, accountId);
  const nowMs = clock.now();
  return postgres.withAccount(accountId, async (tx) => {
    const endpoint = await lockedEndpointOf(tx, accountId, id);
    if (!endpoint.verified) {
      const asked = await askForVerification(tx, endpoint, nowMs);
      await note(tx, by, 'webhook.test', id, null, null, nowMs);
      return { delivery: presentDelivery(await deliveryOf(tx, id, asked)) };
    }
    await refuseManyAtOnce(tx, id);
    const event = {
      name: 'webhook.test' as const,
      occurredAt: new Date(nowMs).toISOString(),
      data: { webhookId: id, message: 'This is a test.' },
    };
    const deliveryId = newId('dlv', nowMs);
    const row = { id: deliveryId, accountId, endpointId: id, event: event.name, sequence: null };
    await insertDeliveries(tx, [{ ...row, body: bodyOf(event, null), status: 'once' }], nowMs);
    await note(tx, by, 'webhook.test', id, null, null, nowMs);
    return { delivery: presentDelivery(await deliveryOf(tx, id, deliveryId)) };
  });
}

/** A delivery that waits in its lane makes the lane due now; any other is sent once more beside the lane. */
export async function redeliver(
  { postgres, clock }: WebhooksDeps,
  by: Acting,
  id: string,
  deliveryId: string,
): Promise<{ readonly delivery: Delivery }> {
  const { accountId } = by.principal;
  const nowMs = clock.now();
  return postgres.withAccount(accountId, async (tx) => {
    refuseUnverified(await lockedEndpointOf(tx, accountId, id));
    const row = await deliveryOf(tx, id, deliveryId);
    if (row.status === 'pending') await wakeLane(tx, id, nowMs, { isUrgent: true });
    else {
      if (row.status !== 'once') await refuseManyAtOnce(tx, id);
      await sendOnce(tx, deliveryId, nowMs);
    }
    await note(tx, by, 'webhook.redeliver', deliveryId, null, null, nowMs);
    return { delivery: presentDelivery(await deliveryOf(tx, id, deliveryId)) };
  });
}

function refuseUnverified({ verified }: { readonly verified: boolean }): void {
  if (verified) return;
  throw new ServiceError(
    'Conflict',
    'This webhook is not verified. Its host gets events once it answered a challenge: POST /user/webhooks/{id}/test sends one.',
  );
}

/** Refuses if too many deliveries by request wait. The caller's transaction must hold the lock of the endpoint. */
async function refuseManyAtOnce(tx: Db, endpointId: string): Promise<void> {
  if ((await countOnce(tx, endpointId)) < ONCE_MAX) return;
  throw new ServiceError(
    'Conflict',
    `${ONCE_MAX} deliveries of this webhook wait to be sent by request. Wait until they are sent, or use POST /user/webhooks/{id}/replay.`,
  );
}

async function deliveryOf(tx: Db, endpointId: string, id: string): Promise<DeliveryRow> {
  const row = isDeliveryId(id) ? await selectDelivery(tx, endpointId, id) : undefined;
  if (row === undefined) throw notFound('Delivery', id);
  return row;
}

/** A week of deliveries is more than a request may change, so a job puts them back into the lane. */
export async function replay(
  { postgres, clock }: WebhooksDeps,
  by: Acting,
  id: string,
  body: ReplayBody,
): Promise<ReplayReply> {
  const { accountId } = by.principal;
  const nowMs = clock.now();
  const sinceMs = Math.max(Date.parse(body.since), nowMs - KEPT_MS);
  const untilMs = Math.min(body.until === undefined ? nowMs + 1 : Date.parse(body.until), nowMs + 1);
  if (sinceMs >= untilMs)
    throw badRequest('Nothing of that time is kept.', [
      { path: 'since', message: 'Send a time of the last 7 days.' },
    ]);
  return postgres.withAccount(accountId, async (tx) => {
    const { enabled, verified } = await endpointOf(tx, accountId, id);
    if (!enabled)
      throw new ServiceError(
        'Conflict',
        'This webhook is disabled. Enable it first, then replay its events.',
      );
    refuseUnverified({ verified });
    const span = {
      endpointId: id,
      fromId: firstIdOf('dlv', sinceMs),
      beforeId: firstIdOf('dlv', untilMs),
      statuses: REPLAYED[body.status],
    };
    const deliveries = await countSpan(tx, span);
    if (deliveries > 0) await enqueue(tx, REPLAY_JOB, span, { maxAttempts: REPLAY_ATTEMPTS });
    await note(tx, by, 'webhook.replay', id, null, { ...body, deliveries }, nowMs);
    return { webhookId: id, deliveries, status: 'queued' };
  });
}
