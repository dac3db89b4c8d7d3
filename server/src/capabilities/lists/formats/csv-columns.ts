import type { Column, CsvSpec } from './format-spec.ts';

/** The column index of each field; -1 for fields that the spec does not read. A short row ends in empty cells. */
export type CsvColumns = {
  readonly values: readonly number[];
  readonly host: number;
  readonly path: number;
  readonly only: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly confidence: number;
  readonly reference: number;
  readonly family: number;
  readonly rank: number;
  readonly hasFacts: boolean;
  readonly isComplete: boolean;
};

export type CsvNames = ReadonlyMap<string, number>;

/** The first of two columns with the same name counts. */
export const namesOf = (cells: readonly string[]): CsvNames =>
  new Map(cells.map((cell, i) => [cell.toLowerCase(), i] as const).reverse());

export const needsNames = (spec: CsvSpec): boolean =>
  [
    ...spec.values,
    spec.url?.host,
    spec.url?.path,
    spec.only?.column,
    spec.firstSeen,
    spec.lastSeen,
    spec.confidence,
    spec.reference,
    spec.family,
    spec.rank,
  ].some((column) => typeof column === 'string');

export function columnsOf(spec: CsvSpec, names: CsvNames): CsvColumns {
  const at = (column: Column | undefined): number =>
    typeof column === 'string' ? (names.get(column.toLowerCase()) ?? -1) : (column ?? -1);
  const values = spec.values.map(at);
  const host = at(spec.url?.host);
  const path = at(spec.url?.path);
  const only = at(spec.only?.column);
  const facts = {
    firstSeen: at(spec.firstSeen),
    lastSeen: at(spec.lastSeen),
    confidence: at(spec.confidence),
    reference: at(spec.reference),
    family: at(spec.family),
    rank: at(spec.rank),
  };
  const isComplete =
    !values.includes(-1) &&
    (spec.url === undefined || (host >= 0 && path >= 0)) &&
    (spec.only === undefined || only >= 0);
  return {
    values,
    host,
    path,
    only,
    ...facts,
    hasFacts: Object.values(facts).some((column) => column >= 0),
    isComplete,
  };
}
