import { z } from 'zod';
import type { Actor } from '#capabilities/access/index.ts';
import { type Route, route } from '#platform/http/route.ts';
import { nextOf } from './account-routes.ts';
import { type ActDeps, act } from './act.ts';
import { count, IdParams, timestamp } from './contract.ts';
import { OPERATORS } from './policy.ts';

/** An endpoint of an account, as operators see it: never its secret. */
export type WebhookView = {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly disabledReason: string | null;
  readonly failureCount: number;
  readonly lastStatus: number | null;
  readonly lastDeliveryAt: Date | null;
};

/** What the capability of webhooks offers to operators; the composition root hands it in. */
export type WebhookDesk = {
  /** The newest first; `failing` leaves out endpoints that work. */
  readonly list: (wanted: {
    readonly failing: boolean;
    readonly before: string | null;
    readonly limit: number;
  }) => Promise<readonly WebhookView[]>;
  readonly countFailing: () => Promise<number>;
  /** Delivers to a disabled endpoint again. Throws 404 if there is no such endpoint. */
  readonly enable: (actor: Actor, id: string) => Promise<void>;
};

const TAGS = ['operators'];
const WebhooksQuery = z.object({
  failing: z.enum(['true', 'false']).default('false'),
  limit: z.coerce.number().int().min(1).max(500).default(100),
  before: z.string().max(64).optional(),
});
const WebhookPage = z
  .object({
    webhooks: z.array(
      z.object({
        id: z.string(),
        accountId: z.string(),
        url: z.string(),
        enabled: z.boolean(),
        disabledReason: z.string().nullable(),
        failureCount: count,
        lastStatus: z.int().nullable(),
        lastDeliveryAt: timestamp.nullable(),
      }),
    ),
    next: z.string().nullable(),
  })
  .meta({ id: 'OperatorWebhookPage' });
const Enabled = z.object({ webhookId: z.string(), enabled: z.literal(true) }).meta({ id: 'EnabledWebhook' });

export const webhookRoutes = (deps: ActDeps, desk: WebhookDesk): readonly Route[] => [
  route({
    method: 'GET',
    path: '/admin/webhooks',
    summary: 'Webhook endpoints of all accounts; with `failing=true` those that do not work.',
    tags: TAGS,
    policy: OPERATORS,
    query: WebhooksQuery,
    reply: WebhookPage,
    handle: async ({ query: { failing, before, limit } }) => {
      const rows = await desk.list({ failing: failing === 'true', before: before ?? null, limit });
      const webhooks = rows.map(({ lastDeliveryAt, ...row }) => ({
        ...row,
        lastDeliveryAt: lastDeliveryAt?.toISOString() ?? null,
      }));
      return { webhooks, next: nextOf(rows, limit) };
    },
  }),
  route({
    method: 'POST',
    path: '/admin/webhooks/:id/enable',
    summary: 'Deliver to a disabled endpoint again.',
    tags: TAGS,
    policy: OPERATORS,
    params: IdParams,
    otherStatuses: { 409: 'The account has no place for another webhook.' },
    reply: Enabled,
    handle: (call) =>
      act(deps, call, { action: 'webhook.enable', target: call.params.id }, async (actor) => {
        await desk.enable(actor, call.params.id);
        return { webhookId: call.params.id, enabled: true as const };
      }),
  }),
];
