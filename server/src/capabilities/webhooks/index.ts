export { type WebhooksWorkerPart, webhooksWorkerPart } from './jobs.ts';
export { listDeliveries } from './keep-deliveries.ts';
export { changeWebhook, createWebhook } from './keep-endpoints.ts';
export type { Subject } from './route-events.ts';
export { webhooksRoutes } from './routes.ts';
export { startSender } from './sender.ts';
export { verifyWebhook } from './verify-webhook.ts';
export { openWebhookDesk } from './webhook-desk.ts';
export {
  nothingWatched,
  type WatchersOf,
  type WebhooksDeps,
  type WebhooksWorkerDeps,
} from './webhooks-deps.ts';
