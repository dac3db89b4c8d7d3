import type { Reason, SnapshotCounts } from '#capabilities/lists/index.ts';
import type { CveRefusal, CveRefusalReason, ToldCve } from '#domain/cve/index.ts';

/** The fields whose absence is counted; a list is absent when it is empty. */
export const TOLD_FIELDS = [
  'title',
  'description',
  'published',
  'modified',
  'scores',
  'cwes',
  'references',
  'affected',
  'packages',
  'configurations',
  'kev',
  'epss',
  'ssvc',
  'exploits',
  'techniques',
] as const;
export type ToldField = (typeof TOLD_FIELDS)[number];

export type NullCount = { readonly records: number; readonly nulls: Readonly<Record<ToldField, number>> };

/** What a load has read so far; kept with the staged rows, so that a load that was killed goes on counting. */
export type ToldCounts = {
  readonly documents: number;
  readonly bytes: number;
  readonly told: number;
  readonly refused: Readonly<Record<string, { readonly count: number; readonly example: string }>>;
  readonly bySource: Readonly<Record<string, NullCount>>;
  /** The newest of the dates that documents give for themselves, in ISO 8601. */
  readonly declaredAt?: string;
};

export const NOTHING_COUNTED: ToldCounts = { documents: 0, bytes: 0, told: 0, refused: {}, bySource: {} };

/** Refusals that are not a mistake of the publisher, because the document is not about a published CVE. */
const UNSUPPORTED: ReadonlySet<CveRefusalReason> = new Set(['no-cve-id', 'withdrawn']);

export function countTold(
  before: ToldCounts,
  told: readonly ToldCve[],
  refused: readonly CveRefusal[],
  bytes: number,
): ToldCounts {
  const bySource = countNulls(before.bySource, told);
  const reasons = { ...before.refused };
  for (const { reason, document } of refused) {
    const known = reasons[reason];
    reasons[reason] = { count: (known?.count ?? 0) + 1, example: known?.example ?? document.slice(0, 200) };
  }
  return {
    ...before,
    documents: before.documents + 1,
    bytes: before.bytes + bytes,
    told: before.told + told.length,
    refused: reasons,
    bySource,
  };
}

function countNulls(
  before: ToldCounts['bySource'],
  told: readonly ToldCve[],
): Readonly<Record<string, NullCount>> {
  const counts: Record<string, { records: number; nulls: Record<ToldField, number> }> = {};
  for (const row of told) {
    const known = before[row.source];
    const count = counts[row.source] ?? {
      records: known?.records ?? 0,
      nulls: { ...(known?.nulls ?? NO_NULLS) },
    };
    counts[row.source] = count;
    count.records += 1;
    for (const field of TOLD_FIELDS) if (isAbsent(row[field])) count.nulls[field] += 1;
  }
  return { ...before, ...counts };
}

const NO_NULLS = Object.fromEntries(TOLD_FIELDS.map((field) => [field, 0])) as Record<ToldField, number>;

const isAbsent = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** The counts in the form of the dataset pipeline: accepted, rejected and unsupported, with reasons. */
export function snapshotCounts(counts: ToldCounts, declaredDateMs: number | null): SnapshotCounts {
  const reasons = Object.entries(counts.refused).map(
    ([reason, { count, example }]): Reason => ({
      kind: UNSUPPORTED.has(reason as CveRefusalReason) ? 'unsupported' : 'rejected',
      reason,
      count,
      example,
    }),
  );
  const sum = (kind: Reason['kind']) =>
    reasons.reduce((total, each) => total + (each.kind === kind ? each.count : 0), 0);
  return {
    lines: counts.told + sum('rejected') + sum('unsupported'),
    accepted: counts.told,
    rejected: sum('rejected'),
    unsupported: sum('unsupported'),
    disposed: 0,
    reasons,
    declaredDateMs,
    bytes: counts.bytes,
  };
}
