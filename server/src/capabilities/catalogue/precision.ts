import { type LearnedTable, SHIPPED_TABLE } from '#domain/weights/index.ts';
import { ADDRESS_RECORDS } from './address-record.ts';
import type { CatalogueRow } from './catalogue-row.ts';

/** How precise a source was measured to be, by what most of its entries are. */
export type Precision =
  /** `share` of the entries are sites that people visit; in `freshShare` of those listed in the last 60 days. */
  | {
      readonly of: 'names';
      readonly entries: number;
      readonly share: number;
      readonly freshShare: number | null;
    }
  | {
      readonly of: 'addresses';
      readonly entries: number;
      readonly inServices: number;
      readonly confirmed: number;
    }
  /** A hash names one file, a wallet one wallet: of 24,645 known-good hashes one is on any list of samples. */
  | { readonly of: 'files' };

/** With fewer entries the share is mostly that of the grade, and says little of the list. */
const MEASURED_ENTRIES_MIN = 1_000;
/** One such listing alone is worth 25 points: it is reported, and no rule asks anybody to act on it alone. */
const VISITED_SHARE_MAX = 1 / 400;
/** Half a percent of accused strangers is what the default lists of attackers had when they were chosen. */
const IN_SERVICES_MAX = 0.005;
/** One in five is seen by another operator: the list sees real attackers, and not only what nobody else does. */
const CONFIRMED_MIN = 0.2;
const SINGULAR_KINDS: ReadonlySet<string> = new Set(['hash', 'crypto']);

/** What the measurements say of a source; null: it was not measured. */
export function precisionOf(
  { id, entityTypes }: Pick<CatalogueRow, 'id' | 'entityTypes'>,
  table: LearnedTable = SHIPPED_TABLE,
): Precision | null {
  const cells = table.cells.filter(({ source }) => source === id);
  const entries = cells.reduce((sum, { n }) => sum + n, 0);
  if (entries >= MEASURED_ENTRIES_MIN)
    return {
      of: 'names',
      entries,
      share: Math.max(...cells.map(({ f }) => f)),
      freshShare: cells.find(({ group }) => group === 'F')?.f ?? null,
    };
  if (SINGULAR_KINDS.has(entityTypes[0] ?? '')) return { of: 'files' };
  const record = ADDRESS_RECORDS.get(id);
  return record === undefined ? null : { of: 'addresses', ...record };
}

/** Whether a source is precise enough to be loaded where nobody chose it. */
export function isPrecise(precision: Precision): boolean {
  if (precision.of === 'names') return precision.share <= VISITED_SHARE_MAX;
  if (precision.of === 'addresses')
    return precision.inServices <= IN_SERVICES_MAX && precision.confirmed >= CONFIRMED_MIN;
  return true;
}

/** Nothing has to be asked for and nobody has to agree: no key, no terms that an operator must accept. */
export const isFree = ({ key, licence }: Pick<CatalogueRow, 'key' | 'licence'>): boolean =>
  key === undefined && licence.optIn !== true;
