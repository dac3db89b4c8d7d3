export { EVERY_EVENT, WEBHOOK_EVENTS, type WebhookEvent } from './event-names.ts';
export {
  type Answer,
  FAILING_MAX_MS,
  judgeAttempt,
  type Next,
  type Place,
  REFUSED_MAX,
  RETRY_MS,
  readRetryAfter,
} from './judge-attempt.ts';
