import type { CatalogueRow } from './catalogue-row.ts';

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const DEFAULTS = {
  format: { kind: 'plain' },
  /** A row without a letter is C (scoring 7). */
  letter: 'C',
  fpRisk: 'medium',
  semantics: 'state',
  pollS: DAY,
  isDefault: false,
} as const satisfies Partial<CatalogueRow>;

type Derived = keyof typeof DEFAULTS | 'minIntervalS' | 'bytesMax' | 'volume';

/** A row as it is written: with the measured entries and bytes (before compression) instead of the limits. */
export type RowData = Omit<CatalogueRow, Derived | 'entries'> &
  Partial<Pick<CatalogueRow, Derived>> & {
    readonly entries: number;
    readonly bytes: number;
  };

const MEGABYTE = 1_000_000;
const BYTES_MAX = 512 * MEGABYTE;

/** Rows of one publisher; `common` holds their shared fields. */
export const defineRows = <Common extends Partial<RowData>>(
  common: Common,
  rows: readonly (Omit<RowData, keyof Common> & Partial<RowData>)[],
): readonly CatalogueRow[] => rows.map((row) => complete({ ...common, ...row } as unknown as RowData));

function complete({ entries, bytes, ...row }: RowData): CatalogueRow {
  const pollS = row.pollS ?? DEFAULTS.pollS;
  return {
    ...DEFAULTS,
    minIntervalS: Math.min(pollS, HOUR),
    volume: aroundCount(entries),
    bytesMax: aboveSize(bytes),
    entries,
    ...row,
  };
}

/** A tenth to five times the measured entries; short lists may grow to a thousand, empty ones may stay empty. */
export const aroundCount = (entries: number): CatalogueRow['volume'] => ({
  min: entries === 0 ? 0 : Math.max(1, Math.floor(entries / 10)),
  max: Math.max(1_000, entries * 5),
});

/** Four times the measured size, at least a megabyte. */
export const aboveSize = (bytes: number): number => Math.min(BYTES_MAX, Math.max(MEGABYTE, bytes * 4));
