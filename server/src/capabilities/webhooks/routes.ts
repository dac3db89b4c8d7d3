import { z } from 'zod';
import { actorOf } from '#capabilities/access/index.ts';
import { KEYED, type Policy } from '#platform/http/policy.ts';
import { type Call, type Route, route } from '#platform/http/route.ts';
import { WEBHOOKS_FROM } from './allowance.ts';
import {
  ChangeBody,
  CreateBody,
  DeliveryList,
  DeliveryParams,
  DeliveryQuery,
  DeliveryReply,
  EventsReply,
  ReplayBody,
  ReplayReply,
  RotatedReply,
  SecretReply,
  VerifyBody,
  WebhookList,
  WebhookParams,
  WebhookReply,
} from './contract.ts';
import { describeEvents, describeVerification, SIGNATURE } from './event-catalogue.ts';
import { listDeliveries, redeliver, replay, testWebhook } from './keep-deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  listWebhooks,
  readWebhook,
  removeWebhook,
  rotateSecret,
} from './keep-endpoints.ts';
import { verifyWebhook } from './verify-webhook.ts';
import type { Acting, WebhooksDeps } from './webhooks-deps.ts';

const TAGS = ['webhooks'];
/** Disabling or deleting an endpoint may change a week of deliveries. */
const LONG_DEADLINE_MS = 60_000;
const OPEN: Policy = { ...KEYED, since: '1.1.0' };
const READ: Policy = { ...OPEN, plan: WEBHOOKS_FROM, called: 'A webhook' };
/** A viewer may not send the data of the organization elsewhere. */
const WRITE: Policy = { ...READ, role: ['OWNER', 'ADMIN', 'MEMBER'], class: 'C', idempotent: true };

const actingOf = ({ principal, request }: Pick<Call, 'principal' | 'request'>): Acting => ({
  principal,
  actor: actorOf(principal, request),
});

export const webhooksRoutes = (deps: WebhooksDeps): readonly Route[] => [
  ...listRoutes(deps),
  ...oneRoutes(deps),
  ...deliveryRoutes(deps),
];

const listRoutes = (deps: WebhooksDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/user/webhooks/events',
    summary: 'The events a webhook can ask for, each with an example.',
    tags: TAGS,
    policy: OPEN,
    reply: EventsReply,
    handle: () => ({
      success: true as const,
      data: {
        events: describeEvents(),
        verification: describeVerification(),
        signature: { ...SIGNATURE, headers: [...SIGNATURE.headers] },
      },
      timestamp: new Date(deps.clock.now()).toISOString(),
    }),
  }),
  route({
    method: 'GET',
    path: '/user/webhooks',
    summary: 'The webhooks of this account.',
    tags: TAGS,
    policy: READ,
    reply: WebhookList,
    handle: ({ principal }) => listWebhooks(deps, principal),
  }),
  route({
    method: 'POST',
    path: '/user/webhooks',
    summary: 'Have events of this account sent to a URL.',
    description:
      'The secret is shown once; deliveries are signed with it as Standard Webhooks describes. The URL must be https and lead to a public address, now and at every delivery. A host that is new to this account gets a `webhook.verification` first; events are sent once it answered with the challenge (`verified`). 3 webhooks on BASIC, 10 on PRO, 50 on ENTERPRISE; above 403.',
    tags: TAGS,
    policy: { ...WRITE, stores: true },
    body: CreateBody,
    reply: SecretReply,
    status: 201,
    handle: (call) => createWebhook(deps, actingOf(call), call.body),
  }),
];

const oneRoutes = (deps: WebhooksDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/user/webhooks/:id',
    summary: 'One webhook.',
    tags: TAGS,
    policy: READ,
    params: WebhookParams,
    reply: WebhookReply,
    handle: ({ principal, params }) => readWebhook(deps, principal, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/user/webhooks/:id',
    summary: 'Change a webhook, or switch it off and on.',
    description:
      'While it is off, events are kept for 7 days as `skipped`; a replay sends them. Switching it on forgets the failures of before. A URL of a new host is verified before it gets events; what waited becomes `skipped`.',
    tags: TAGS,
    policy: { ...WRITE, deadlineMs: LONG_DEADLINE_MS },
    params: WebhookParams,
    body: ChangeBody,
    reply: WebhookReply,
    handle: (call) => changeWebhook(deps, actingOf(call), call.params.id, call.body),
  }),
  route({
    method: 'DELETE',
    path: '/user/webhooks/:id',
    summary: 'Delete a webhook with its deliveries.',
    tags: TAGS,
    policy: { ...WRITE, deadlineMs: LONG_DEADLINE_MS },
    params: WebhookParams,
    status: 204,
    reply: z.undefined(),
    handle: async (call) => {
      await removeWebhook(deps, actingOf(call), call.params.id);
      return undefined;
    },
  }),
  route({
    method: 'POST',
    path: '/user/webhooks/:id/rotate-secret',
    summary: 'Get a new secret.',
    description: 'For 24 hours deliveries carry a signature of the new and of the previous secret.',
    tags: TAGS,
    policy: WRITE,
    params: WebhookParams,
    reply: RotatedReply,
    handle: (call) => rotateSecret(deps, actingOf(call), call.params.id),
  }),
  route({
    method: 'POST',
    path: '/user/webhooks/:id/test',
    summary: 'Send a `webhook.test`, once and at once.',
    description:
      'A webhook that is not verified gets a `webhook.verification` with a new challenge instead, at most 60 an hour for each account.',
    tags: TAGS,
    policy: WRITE,
    params: WebhookParams,
    reply: DeliveryReply,
    status: 202,
    handle: (call) => testWebhook(deps, actingOf(call), call.params.id),
  }),
  route({
    method: 'POST',
    path: '/user/webhooks/:id/verify',
    summary: 'Verify a webhook with the challenge that its receiver got.',
    description:
      'For receivers that cannot answer with the challenge. It works for 24 hours; a test sends a new one. A webhook that is verified already stays so.',
    tags: TAGS,
    policy: { ...WRITE, extension: true },
    params: WebhookParams,
    body: VerifyBody,
    reply: WebhookReply,
    handle: (call) => verifyWebhook(deps, actingOf(call), call.params.id, call.body.challenge),
  }),
];

const deliveryRoutes = (deps: WebhooksDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/user/webhooks/:id/deliveries',
    summary: 'What was sent to a webhook in the last 7 days, and what waits.',
    tags: TAGS,
    policy: READ,
    params: WebhookParams,
    query: DeliveryQuery,
    reply: DeliveryList,
    handle: ({ principal, params, query }) => listDeliveries(deps, principal, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/user/webhooks/:id/deliveries/:dlv/redeliver',
    summary: 'Send one delivery again, under the same id.',
    description:
      'One that waits is tried now, if it is the first of its webhook. Any other is sent once, with `outOfOrder: true`.',
    tags: TAGS,
    policy: WRITE,
    params: DeliveryParams,
    reply: DeliveryReply,
    status: 202,
    handle: (call) => redeliver(deps, actingOf(call), call.params.id, call.params.dlv),
  }),
  route({
    method: 'POST',
    path: '/user/webhooks/:id/replay',
    summary: 'Send the deliveries of a time again, in order and under the same ids.',
    description:
      'They go before what waits, because they are older. A disabled webhook answers 409: enable it first.',
    tags: TAGS,
    policy: { ...WRITE, extension: true },
    params: WebhookParams,
    body: ReplayBody,
    reply: ReplayReply,
    status: 202,
    handle: (call) => replay(deps, actingOf(call), call.params.id, call.body),
  }),
];
