import type { FindingStatus } from '../cve-watch/index.ts';
import type { AlertStatus } from './alert-kinds.ts';

/** The status that an alert takes from the status of its finding. */
export function statusOfFinding(status: FindingStatus): AlertStatus {
  if (status === 'OPEN') return 'OPEN';
  return status === 'ACKNOWLEDGED' ? 'ACKNOWLEDGED' : 'RESOLVED';
}

/**
 * The status that a finding takes when a person sets the status of its alert; null if it needs no change. Resolving the
 * alert of a finding that is not affected or snoozed leaves the finding so and does not call it patched.
 */
export function findingStatusFor(alert: AlertStatus, finding: FindingStatus): FindingStatus | null {
  if (statusOfFinding(finding) === alert) return null;
  if (alert === 'OPEN') return 'OPEN';
  return alert === 'ACKNOWLEDGED' ? 'ACKNOWLEDGED' : 'PATCHED';
}
