import { z } from 'zod';
import { EVERY_EVENT, WEBHOOK_EVENTS } from '#domain/webhooks/index.ts';
import { atMost, oneLine } from '#platform/request-fields.ts';

const URL_MAX = 2_048;
const DESCRIPTION_MAX = 200;
const PAGE_MAX = 1_000_000;
const LIMIT_DEFAULT = 25;
const LIMIT_MAX = 100;

const time = z.iso.datetime();

const Events = z
  .array(
    z.enum([...WEBHOOK_EVENTS, EVERY_EVENT], {
      error: `Send names of GET /user/webhooks/events, or "${EVERY_EVENT}" for all.`,
    }),
  )
  .min(1, 'Send at least one event.')
  .max(32)
  .transform((names) => [...new Set(names)])
  .meta({ examples: [['alert.created', 'cve.finding.created']] });
const Url = oneLine(URL_MAX)
  .describe('An https URL on a public address, on port 443 or 8443.')
  .meta({ examples: ['https://hooks.example.com/assay'] });
const Description = oneLine(DESCRIPTION_MAX)
  .nullable()
  .meta({ examples: ['Ticket system'] });

export const CreateBody = z.object({
  url: Url,
  description: Description.optional(),
  events: Events,
  enabled: z.boolean().default(true),
});
export type CreateBody = z.infer<typeof CreateBody>;

export const ChangeBody = z
  .object({
    url: Url.optional(),
    description: Description.optional(),
    events: Events.optional(),
    enabled: z.boolean().optional(),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: 'Send at least one of url, description, events, enabled.',
  });
export type ChangeBody = z.infer<typeof ChangeBody>;

export const DISABLED_REASONS = ['paused', 'failing', 'gone', 'plan'] as const;
export const Webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    events: z.array(z.string()),
    enabled: z.boolean(),
    verified: z
      .boolean()
      .describe(
        'The host answered a `webhook.verification` of this account. Until then events are kept as `skipped` for 7 days.',
      ),
    disabledReason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .describe(
        '`paused`: switched off by the account. `failing`: nothing but failures for 5 days. `gone`: it answered 410. `plan`: the plan of the account no longer has it.',
      ),
    createdAt: time,
    updatedAt: time,
    lastDeliveryAt: time.nullable().describe('The last attempt.'),
    lastStatus: z.int().nullable().describe('Its HTTP status; null where no complete answer came.'),
    failureCount: z.int().describe('Failed attempts since the last success.'),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookReply = z.object({ webhook: Webhook });
export const WebhookList = z.object({ webhooks: z.array(Webhook).describe('Oldest first.') });
export const SecretReply = z.object({
  webhook: Webhook,
  secret: z.string().describe('Shown once: `whsec_` and 32 bytes in base64.'),
});
export const RotatedReply = z.object({
  webhook: Webhook,
  secret: z.string().describe('Shown once.'),
  previousValidUntil: time.describe('Until then deliveries carry a signature of each secret.'),
});

export const VerifyBody = z.object({
  challenge: oneLine(100)
    .describe('`data.challenge` of the newest `webhook.verification`, as the receiver got it.')
    .meta({ examples: ['8qLr2mPzVtB1xYw0nKfUcJ3dHs6eGa9o'] }),
});

const anId = (of: string, example: string) =>
  z
    .string()
    .max(64)
    .describe(`Id of ${of} of this account.`)
    .meta({ examples: [example] });
const WEBHOOK_ID = 'whk_01M7KJJ2FN2YGH69WAERMZSVPS';
export const WebhookParams = z.object({ id: anId('a webhook', WEBHOOK_ID) });
export const DeliveryParams = z.object({
  id: anId('a webhook', WEBHOOK_ID),
  dlv: anId('a delivery', 'dlv_01M7KJJ2FN2YGH69WAERMZSVPS'),
});

export const DELIVERY_STATUSES = ['pending', 'parked', 'delivered', 'failed', 'skipped'] as const;
const DeliveryStatus = z
  .enum(DELIVERY_STATUSES)
  .describe(
    '`pending`: waits for its turn or its next attempt. `parked`: refused three times, sent again on its own while later ones go on. `skipped`: the webhook was disabled.',
  );
export const Delivery = z
  .object({
    id: z.string().describe('The webhook-id of every attempt.'),
    event: z.string(),
    sequence: z.int().nullable().describe('The order of this webhook, without gaps; null for a test.'),
    status: DeliveryStatus,
    outOfOrder: z
      .boolean()
      .describe('Sent after later ones, because it was refused or sent again by request.'),
    attempts: z.int(),
    createdAt: time,
    lastAttemptAt: time.nullable(),
    nextAttemptAt: time.nullable(),
    deliveredAt: time.nullable(),
    responseStatus: z.int().nullable(),
    responseBody: z.string().nullable().describe('The first kilobyte of the last answer, as one line.'),
    error: z.string().nullable().describe('Why no complete answer came.'),
    durationMs: z.int().nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryQuery = z.object({
  status: DeliveryStatus.optional(),
  page: atMost(PAGE_MAX, 1),
  limit: atMost(LIMIT_MAX, LIMIT_DEFAULT).describe('At most 100.'),
});
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;
export const DeliveryList = z.object({
  deliveries: z.array(Delivery).describe('Newest first.'),
  total: z.int(),
  page: z.int(),
  limit: z.int(),
});
export type DeliveryList = z.infer<typeof DeliveryList>;
export const DeliveryReply = z.object({ delivery: Delivery });

const instant = z.iso
  .datetime({ offset: true, error: 'Send a time with its zone such as 2026-12-01T00:00:00Z.' })
  .max(40);
export const REPLAYED = {
  skipped: ['skipped'],
  failed: ['failed'],
  undelivered: ['skipped', 'failed'],
  delivered: ['delivered'],
} as const;
export const ReplayBody = z
  .object({
    since: instant.describe('Deliveries written since then; they are kept for 7 days.'),
    until: instant.optional().describe('And before then; now when absent.'),
    status: z
      .enum(['skipped', 'failed', 'undelivered', 'delivered'])
      .describe('Which of them. `undelivered`: skipped and failed.'),
  })
  .refine(({ since, until }) => until === undefined || Date.parse(since) < Date.parse(until), {
    error: 'Send an `until` that is later than `since`.',
    path: ['until'],
  });
export type ReplayBody = z.infer<typeof ReplayBody>;
export const ReplayReply = z.object({
  webhookId: z.string(),
  deliveries: z.int().describe('How many wait to be sent again, in order and under the same ids.'),
  status: z.literal('queued'),
});
export type ReplayReply = z.infer<typeof ReplayReply>;

export const EventsReply = z.object({
  success: z.literal(true),
  data: z.object({
    events: z.array(
      z.object({
        name: z.enum(WEBHOOK_EVENTS),
        description: z.string(),
        recommendedFields: z.array(z.string()).describe('Fields of `data` that a receiver should read.'),
        example: z.looseObject({}).describe('A whole body.'),
      }),
    ),
    verification: z
      .object({
        name: z.literal('webhook.verification'),
        description: z.string(),
        example: z.looseObject({}).describe('A whole body.'),
        answer: z.looseObject({}).describe('The body that a receiver answers with.'),
      })
      .describe('What a new host gets before any event.'),
    signature: z.object({
      scheme: z.literal('standard-webhooks'),
      headers: z.array(z.string()),
      algorithm: z.literal('HMAC-SHA256'),
    }),
  }),
  timestamp: time,
});
export type EventsReply = z.infer<typeof EventsReply>;
