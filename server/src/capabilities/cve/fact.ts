import type { CveSeverity, SsvcExploitation } from '#domain/cve/index.ts';

/** What every node knows of a CVE without PostgreSQL. */
export type CveFact = {
  readonly severity: CveSeverity;
  readonly score: number | null;
  readonly epss: number | null;
  readonly percentile: number | null;
  readonly isKev: boolean;
  readonly isRejected: boolean;
  readonly exploitation: SsvcExploitation | null;
  /** Days since 1970-01-01; null: not known. */
  readonly publishedDay: number | null;
};

const SEVERITIES: readonly CveSeverity[] = ['UNKNOWN', 'NONE', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];
const EXPLOITATIONS: readonly SsvcExploitation[] = ['none', 'poc', 'active'];
const EXPLOITATION_SHIFT = 3;
const EXPLOITATION_MASK = 3;
const SEVERITY_MASK = 7;
const KEV_BIT = 32;
const REJECTED_BIT = 64;
const NO_DAY = -2_147_483_648;
/** Layout: flags 2 bytes, then score, EPSS, percentile and day of publication, 4 bytes each. */
export const FACT_BYTES = 18;

export const severityNumber = (severity: CveSeverity): number => SEVERITIES.indexOf(severity);
export const severityAt = (number: number): CveSeverity => SEVERITIES[number] ?? 'UNKNOWN';
export const exploitationNumber = (exploitation: SsvcExploitation | null): number | null =>
  exploitation === null ? null : EXPLOITATIONS.indexOf(exploitation);
export const exploitationAt = (number: number | null): SsvcExploitation | null =>
  number === null ? null : (EXPLOITATIONS[number] ?? null);

/** Reads the 18 bytes that the view `cve_fact_entry` writes, at `at` of a larger buffer. */
export function readFact(view: DataView, at: number): CveFact {
  const flags = view.getInt16(at);
  const day = view.getInt32(at + 14);
  return {
    severity: severityAt(flags & SEVERITY_MASK),
    exploitation: exploitationAt((flags >> EXPLOITATION_SHIFT) & EXPLOITATION_MASK),
    isKev: (flags & KEV_BIT) !== 0,
    isRejected: (flags & REJECTED_BIT) !== 0,
    score: rounded(view.getFloat32(at + 2), 10),
    epss: rounded(view.getFloat32(at + 6), 100_000),
    percentile: rounded(view.getFloat32(at + 10), 100_000),
    publishedDay: day === NO_DAY ? null : day,
  };
}

/** Undoes the imprecision of a float of four bytes, which holds 9.8 as 9.800000191. */
const rounded = (value: number, by: number): number | null =>
  Number.isNaN(value) ? null : Math.round(value * by) / by;
