import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { startHttpPeer } from '../http-peer.ts';

export const STRIPE_KEY = 'sk_test_peer';
export const STRIPE_SECRET = 'whsec_peer';

export type PeerSubscription = {
  readonly id: string;
  readonly customer: string;
  readonly status: string;
  readonly price: string;
  readonly accountId?: string;
  readonly periodEndS?: number;
};

/** A server on loopback that speaks the part of Stripe's protocol which billing uses. */
export async function startStripePeer() {
  const subscriptions = new Map<string, PeerSubscription>();
  const asked: { readonly path: string; readonly fields: Readonly<Record<string, string>> }[] = [];
  const state = { isAway: false };
  const answer = (path: string): object | null => {
    if (path === '/v1/checkout/sessions') return { id: 'cs_1', url: 'https://checkout.stripe.example/cs_1' };
    if (path === '/v1/billing_portal/sessions')
      return { id: 'bps_1', url: 'https://billing.stripe.example/bps_1' };
    const listed = /^\/v1\/subscriptions\?customer=(\w+)&limit=100$/.exec(path)?.[1];
    // Without a status Stripe lists what has not been canceled.
    if (listed !== undefined)
      return {
        object: 'list',
        data: [...subscriptions.values()]
          .filter(({ customer, status }) => customer === listed && status !== 'canceled')
          .map(subscriptionAsStripe),
      };
    const found = subscriptions.get(/^\/v1\/subscriptions\/(\w+)$/.exec(path)?.[1] ?? '');
    return found === undefined ? null : subscriptionAsStripe(found);
  };
  const peer = await startHttpPeer((request, response) => {
    void readText(request).then((text) => {
      const path = request.url ?? '';
      asked.push({ path, fields: Object.fromEntries(new URLSearchParams(text)) });
      const isKnown = request.headers.authorization === `Bearer ${STRIPE_KEY}`;
      const body = isKnown && !state.isAway ? answer(path) : null;
      const status = state.isAway ? 500 : !isKnown ? 401 : body === null ? 404 : 200;
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(body ?? { error: {} }));
    });
  });
  return {
    ...peer,
    asked,
    state,
    put: (subscription: PeerSubscription) => void subscriptions.set(subscription.id, subscription),
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

const subscriptionAsStripe = ({ id, customer, status, price, accountId, periodEndS }: PeerSubscription) => ({
  id,
  object: 'subscription',
  customer,
  status,
  metadata: accountId === undefined ? {} : { account_id: accountId },
  items: {
    object: 'list',
    data: [{ id: 'si_1', price: { id: price }, current_period_end: periodEndS ?? null }],
  },
});

/** A delivery as Stripe sends it: its bytes and the header over them. */
export function stripeDelivery(
  event: { readonly id: string; readonly type: string; readonly object: object },
  { atMs, secret = STRIPE_SECRET }: { readonly atMs: number; readonly secret?: string },
) {
  const { id, type, object } = event;
  const payload = JSON.stringify(
    { id, object: 'event', type, created: Math.floor(atMs / 1_000), data: { object } },
    null,
    2,
  );
  return {
    payload,
    headers: { 'content-type': 'application/json; charset=utf-8', ...stripeSignature(payload, atMs, secret) },
  };
}

export function stripeSignature(payload: string, atMs: number, secret = STRIPE_SECRET) {
  const seconds = Math.floor(atMs / 1_000);
  const hex = createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex');
  return { 'stripe-signature': `t=${seconds},v1=${hex},v0=${'0'.repeat(64)}` };
}
