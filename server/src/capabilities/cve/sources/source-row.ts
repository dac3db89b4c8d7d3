import type { DatasetDefinition } from '#capabilities/datasets/index.ts';
import type { CveReading } from '#domain/cve/index.ts';
import type { ExpectedNulls } from '../load/judge-told.ts';

/** One source of vulnerabilities as data: how it is fetched, read and judged. */
export type CveSourceRow = Omit<DatasetDefinition, 'capability' | 'load'> & {
  /** `told`: a source with rows of fields about CVEs; `epss`: daily scores, kept in a table of their own. */
  readonly kind: 'told' | 'epss';
  /** Which members of an archive are documents. */
  readonly wants: (path: string) => boolean;
  readonly read: (document: string, text: string) => CveReading;
  /** The date that the document gives for itself, in ISO 8601; null where it gives none. */
  readonly declaredAt?: (text: string) => string | null;
  /** Expected shares of nulls by source and field; fields that a source never gives are left out. */
  readonly expectedNulls: ExpectedNulls;
  readonly rejectShareMax?: number;
  /** What is compared with data of this source alone; absent where the source covers nothing by itself. */
  readonly covers?: SourceCover;
  /** The data set with the changes since this whole list; changes that the list contains are removed from it. */
  readonly changesIn?: string;
};

/** The components that a source covers once it is loaded: packages of one ecosystem, or products of all vendors. */
export type SourceCover = {
  readonly ecosystem?: string;
  readonly products?: true;
  /** The number of records from which the data set counts as whole; by default the smallest volume that a download may have. */
  readonly wholeFrom?: number;
};
