export { type WebhooksWorkerPart, webhooksWorkerPart } from './jobs.ts';
export type { Subject } from './route-events.ts';
export { webhooksRoutes } from './routes.ts';
export { openWebhookDesk } from './webhook-desk.ts';
export {
  nothingWatched,
  type WatchersOf,
  type WebhooksDeps,
  type WebhooksWorkerDeps,
} from './webhooks-deps.ts';
