import type { DatasetCursor, DatasetDefinition } from '#capabilities/datasets/index.ts';
import type { CveReading } from '#domain/cve/index.ts';
import type { ExpectedNulls } from '../load/judge-told.ts';

/** One source of vulnerabilities as data: how it is fetched, read and judged. */
export type CveSourceRow = Omit<DatasetDefinition, 'capability' | 'load'> & {
  /** `told`: rows about CVEs; `epss`: a score for each CVE, kept apart because it changes daily. */
  readonly kind: 'told' | 'epss';
  /** Which members of an archive are documents. */
  readonly wants: (path: string) => boolean;
  readonly read: (document: string, text: string) => CveReading;
  /** The day or time by the document's own account, in ISO 8601; null: it has none. */
  readonly declaredAt?: (text: string) => string | null;
  /** Expected shares of nulls by source and field; fields that a source never gives are left out. */
  readonly expectedNulls: ExpectedNulls;
  readonly rejectShareMax?: number;
  /** What the cursor says after a load, for publishers that are asked for changes. */
  readonly cursorAfter?: (before: DatasetCursor, nowMs: number) => Readonly<Record<string, unknown>>;
};
