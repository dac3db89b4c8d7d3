import type { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { badRequest, unavailable } from '#platform/errors.ts';
import type { Outbound } from '#platform/outbound.ts';
import type { BillingProvider } from '../provider.ts';
import { StripeEvent, StripePage, StripeSubscription, StripeSubscriptionList } from './contract.ts';
import { ACCOUNT, newsOf, subscriptionOf } from './read-stripe.ts';
import { type SignatureProblem, signatureProblem } from './signature.ts';

export type StripeDeps = {
  readonly clock: Clock;
  readonly outbound: Outbound;
  readonly apiUrl: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** From `PLAN:BILLING`, such as `PRO:MONTHLY`, to the id of its price at Stripe. */
  readonly prices: ReadonlyMap<string, string>;
  /** Where a person comes back to from a page of Stripe. */
  readonly returnUrl: string;
};

const DEADLINE_MS = 8_000;
const BYTES_MAX = 1024 * 1024;
const RETRY_S = 60;

const PROBLEMS: Readonly<Record<SignatureProblem, string>> = {
  malformed: 'The Stripe-Signature header is missing or cannot be read.',
  wrong: 'The signature does not fit the body. Is STRIPE_WEBHOOK_SECRET the secret of this endpoint?',
  old: 'The signature is older than five minutes, or from the future.',
};

/** Stripe by plain HTTP requests, without its client library. */
export function openStripe(deps: StripeDeps): BillingProvider {
  return {
    checkout: async ({ accountId, plan, billing, customerId }) => {
      const price = deps.prices.get(`${plan}:${billing}`);
      if (price === undefined)
        throw badRequest(`${plan} is not sold ${billing.toLowerCase()} here. Ask the operator.`);
      const { url } = await ask(deps, StripePage, '/v1/checkout/sessions', {
        mode: 'subscription',
        'line_items[0][price]': price,
        'line_items[0][quantity]': '1',
        client_reference_id: accountId,
        [`metadata[${ACCOUNT}]`]: accountId,
        [`subscription_data[metadata][${ACCOUNT}]`]: accountId,
        success_url: deps.returnUrl,
        cancel_url: deps.returnUrl,
        ...(customerId !== null && { customer: customerId }),
      });
      return url;
    },
    portal: async (customerId) => {
      const asked = { customer: customerId, return_url: deps.returnUrl };
      return (await ask(deps, StripePage, '/v1/billing_portal/sessions', asked)).url;
    },
    readNews: (headers, bytes) => {
      const header = headers['stripe-signature'];
      const problem = signatureProblem(
        typeof header === 'string' ? header : '',
        bytes,
        deps.webhookSecret,
        deps.clock.now(),
      );
      if (problem !== null) throw badRequest(PROBLEMS[problem]);
      return newsOf(readEvent(bytes));
    },
    readSubscription: async (id) =>
      subscriptionOf(
        await ask(deps, StripeSubscription, `/v1/subscriptions/${encodeURIComponent(id)}`, null),
        deps.prices,
      ),
    listSubscriptions: async (customerId) => {
      const query = new URLSearchParams({ customer: customerId, limit: '100' });
      const { data } = await ask(deps, StripeSubscriptionList, `/v1/subscriptions?${query.toString()}`, null);
      return data.map((each) => subscriptionOf(each, deps.prices));
    },
  };
}

function readEvent(bytes: Uint8Array): StripeEvent {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw badRequest('The body is no JSON.');
  }
  const parsed = StripeEvent.safeParse(value);
  if (!parsed.success) throw badRequest('The body is no event of Stripe.');
  return parsed.data;
}

/** POST with `fields`, else GET. The text of Stripe's errors goes to the log alone, because it may name a customer. */
async function ask<S extends z.ZodType>(
  { outbound, apiUrl, secretKey }: StripeDeps,
  schema: S,
  path: string,
  fields: Readonly<Record<string, string>> | null,
): Promise<z.output<S>> {
  const { port, protocol } = new URL(apiUrl);
  try {
    const answer = await outbound.fetch(`${apiUrl.replace(/\/$/, '')}${path}`, {
      method: fields === null ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${secretKey}`,
        accept: 'application/json',
        ...(fields !== null && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(fields !== null && { body: new URLSearchParams(fields).toString() }),
      deadlineMs: DEADLINE_MS,
      bytesMax: BYTES_MAX,
      schemes: [protocol === 'http:' ? 'http' : 'https'],
      ...(port !== '' && { ports: [Number(port)] }),
    });
    const text = await answer.text();
    if (answer.status !== 200)
      throw new Error(`${path.split('/', 3).join('/')} answered ${answer.status}: ${text.slice(0, 500)}`);
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw unavailable(
      'The payment provider does not answer as expected. Try again in a minute.',
      RETRY_S,
      error,
    );
  }
}
