/** Rules of alerts: which there are, how severe they are, and how long they stay open. */
export {
  ALERT_STATUSES,
  ALERT_TYPES,
  type AlertStatus,
  type AlertType,
  SEVERITIES,
  type Severity,
  severityOfPriority,
  severityOfReputation,
  severityOfType,
} from './alert-kinds.ts';
export { findingStatusFor, statusOfFinding } from './finding-moves.ts';
export { bucketOf, type Counted, hoursAt, percentilesOf } from './open-times.ts';
