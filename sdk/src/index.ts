export { actionOf, confidenceWord } from './advice.ts';
export type { BulkOptions } from './bulk.ts';
export type { CheckPhase, CheckStreamOptions } from './check-stream.ts';
export { type Assay, type AssayOptions, createAssay, createPageAssay, type PageAssay } from './client.ts';
export type { KeyPair } from './credential.ts';
export {
  Aborted,
  AssayError,
  Conflict,
  type FieldProblem,
  Forbidden,
  InvalidRequest,
  NetworkFailure,
  NotFound,
  RateLimited,
  StreamBroken,
  TimedOut,
  Unauthorized,
  Unavailable,
  type UsedUp,
} from './errors.ts';
export type { EventOptions, Streamed } from './events.ts';
export type { CallOptions, Seen } from './exchange.ts';
export type { Operations } from './generated/operations.ts';
export type * from './generated/schemas.ts';
export { type Limits, limitsOf } from './limits.ts';
export type { CallId, Input, OperationId, Reply, StreamId } from './operation.ts';
export type { Passwords } from './passwords.ts';
export type { ReportFilter, ReportPage, Reports, SaveReport } from './reports.ts';
export type { ThreatNews, ThreatStreamOptions } from './threat-stream.ts';
export {
  type StreamState,
  type Verdict,
  type VerdictId,
  type VerdictTone,
  verdictOf,
  verdictOfLevel,
} from './verdict.ts';
export { verdictOfRow } from './verdict-of-row.ts';
export { verificationReply, verifyWebhook, type WebhookDelivery, type WebhookRequest } from './webhook.ts';
