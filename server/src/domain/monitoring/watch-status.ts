import type { RiskLevel } from '../scoring/index.ts';

export const WATCH_STATUSES = ['clean', 'suspicious', 'malicious', 'unknown'] as const;
export type WatchStatus = (typeof WATCH_STATUSES)[number];

/** `safe` is clean; `low`, `medium` suspicious; `high`, `critical`, scanner detections malicious; else unknown. */
export function statusOf(level: RiskLevel | null, isMalicious: boolean): WatchStatus {
  if (isMalicious) return 'malicious';
  switch (level) {
    case 'safe':
      return 'clean';
    case 'low':
    case 'medium':
      return 'suspicious';
    case 'high':
    case 'critical':
      return 'malicious';
    default:
      return 'unknown';
  }
}
