import type { DatasetDefinition } from '#capabilities/datasets/index.ts';
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
  /** The data set with the changes since this whole list; what the list has meanwhile is taken out of it. */
  readonly changesIn?: string;
};
