import { z } from 'zod';

const id = z.string().min(1).max(255);

/** What we read of an event; the rest of it is ignored. */
export const StripeEvent = z.object({
  id,
  type: z.string().min(1).max(100),
  data: z.object({
    object: z.looseObject({
      id: id.optional(),
      object: z.string().max(100).optional(),
      subscription: z.union([id, z.object({ id }), z.null()]).optional(),
      client_reference_id: z.string().max(255).nullish(),
      metadata: z.record(z.string(), z.string()).nullish(),
    }),
  }),
});
export type StripeEvent = z.output<typeof StripeEvent>;

export const StripeSubscription = z.object({
  id,
  customer: z.union([id, z.object({ id })]),
  status: z.string().max(50),
  metadata: z.record(z.string(), z.string()).nullish(),
  current_period_end: z.number().nullish(),
  items: z.object({
    data: z
      .array(z.object({ price: z.object({ id }), current_period_end: z.number().nullish() }))
      .min(1)
      .max(100),
  }),
});
export type StripeSubscription = z.output<typeof StripeSubscription>;

/** One page: a customer has a handful of subscriptions. */
export const StripeSubscriptionList = z.object({ data: z.array(StripeSubscription).max(100) });

export const StripePage = z.object({ url: z.url().max(2_048) });
