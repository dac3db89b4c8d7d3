import type { FindingStatus } from '../cve-watch/index.ts';
import type { AlertStatus } from './alert-kinds.ts';

/** How the alert of a finding stands while the finding stands so. */
export function statusOfFinding(status: FindingStatus): AlertStatus {
  if (status === 'OPEN') return 'OPEN';
  return status === 'ACKNOWLEDGED' ? 'ACKNOWLEDGED' : 'RESOLVED';
}

/**
 * What a decision about the alert means for its finding; null where the finding stands so already. A finding that is not
 * affected or snoozed is resolved as it is, and resolving its alert does not call it patched.
 */
export function findingStatusFor(alert: AlertStatus, finding: FindingStatus): FindingStatus | null {
  if (statusOfFinding(finding) === alert) return null;
  if (alert === 'OPEN') return 'OPEN';
  return alert === 'ACKNOWLEDGED' ? 'ACKNOWLEDGED' : 'PATCHED';
}
