import { inertText } from '#domain/text/inert-text.ts';
import type { Vulnerabilities } from '../contract-hosts.ts';

/** What the CVE catalogue of this node says about a CVE; undefined: it does not have it. */
export type CveSeverity = {
  readonly severity: string;
  readonly score: number | null;
  readonly description: string;
  /** A rejected CVE is shown nowhere. */
  readonly isRejected: boolean;
  /** In the catalog of known exploited vulnerabilities. */
  readonly isKev?: boolean;
};
export type FindCve = (id: string) => CveSeverity | undefined;

const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'NONE', 'UNKNOWN'];
const DESCRIPTION_MAX = 1_000;

/**
 * Adds severities to the CVEs of a scan: known exploited ones first (decisions O64), then the worst, then the newest. A CVE of unknown severity counts only in
 * `total`. Scans are cached for days, so severities are joined whenever a scan is read, never before it is stored.
 */
export function joinCves(found: Vulnerabilities, find: FindCve): Vulnerabilities {
  const joined = found.cves.flatMap(({ id }) => {
    const known = find(id);
    if (known?.isRejected === true) return [];
    const severity = known?.severity.toUpperCase() ?? 'UNKNOWN';
    return [
      {
        id,
        ...(known?.isKev === true && { isKev: true as const }),
        severity: SEVERITIES.includes(severity) ? severity : 'UNKNOWN',
        score: known?.score ?? null,
        description: inertText(known?.description, DESCRIPTION_MAX) ?? '',
      },
    ];
  });
  const count = (severity: string): number => joined.filter((cve) => cve.severity === severity).length;
  return {
    ...found,
    total: found.total - (found.cves.length - joined.length),
    critical: count('CRITICAL'),
    high: count('HIGH'),
    medium: count('MEDIUM'),
    low: count('LOW'),
    cves: joined.sort(
      (a, b) =>
        Number(b.isKev === true) - Number(a.isKev === true) ||
        (b.score ?? -1) - (a.score ?? -1) ||
        byNewest(a.id, b.id),
    ),
  };
}

export const byNewest = (a: string, b: string): number => b.localeCompare(a, 'en', { numeric: true });
