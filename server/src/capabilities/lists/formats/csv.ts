import { printedItems, valuesOfCell } from './cell-values.ts';
import { type CsvColumns, columnsOf, namesOf, needsNames } from './csv-columns.ts';
import { splitCsvLine } from './csv-line.ts';
import { csvRecords } from './csv-records.ts';
import { readDate } from './declared-date.ts';
import { type Entry, type FormatParser, LINE_CHARS_MAX, type Sink } from './format.ts';
import type { CsvSpec } from './format-spec.ts';
import { withoutWildcard } from './listed-name.ts';
import { REJECTED, UNSUPPORTED } from './not-listed.ts';

const CONFIDENCE_MAX = 100;
const EXAMPLE_CHARS = 200;
const NO_SIBLINGS: readonly string[] = [];
const DIGEST = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;

/** A table. The spec names the columns that hold entries and those that describe them. */
export function csvList(sink: Sink, spec: CsvSpec): FormatParser {
  const delimiter = spec.delimiter ?? ',';
  const header = spec.header ?? (needsNames(spec) ? 'first' : 'none');
  const unnamed = columnsOf(spec, new Map());
  let columns = unnamed;
  let isFirst = true;

  return csvRecords(
    sink,
    delimiter,
    (cells, record) => {
      const isHeader = isFirst && header === 'first';
      isFirst = false;
      if (isHeader) columns = columnsOf(spec, namesOf(cells));
      else if (columns.isComplete) readRow(cells, columns, record, spec, sink);
      else sink.rejected(REJECTED.unnamedColumn, record.slice(0, EXAMPLE_CHARS));
    },
    (comment) => {
      if (header !== 'comment' || !isFirst) return;
      columns = columnsOf(spec, namesOf(splitCsvLine(comment.replace(/^#+\s*/, ''), delimiter) ?? []));
    },
    () => {
      columns = unnamed;
      isFirst = true;
    },
  );
}

type Cells = readonly string[];

function readRow(cells: Cells, columns: CsvColumns, record: string, spec: CsvSpec, sink: Sink) {
  if (isLeftOut(cells, columns, spec))
    return sink.unsupported(UNSUPPORTED.otherLine, record.slice(0, EXAMPLE_CHARS));
  const found = columns.values.map((column) => valuesOfCell(cells[column] ?? '', spec.entries ?? 'any'));
  if (spec.url !== undefined) found.push(urlOf(cells[columns.host] ?? '', cells[columns.path] ?? ''));
  if (found.every((values) => values.length === 0))
    return sink.unsupported(UNSUPPORTED.noCell, record.slice(0, EXAMPLE_CHARS));
  const facts = factsOf(cells, columns, spec);
  for (const values of found)
    for (let i = 0; i < values.length; i++) {
      const text = withoutWildcard(onOneLine(values[i] ?? ''));
      const siblings = spec.siblings === true ? siblingsOf(found, text, i) : NO_SIBLINGS;
      if (text.length > LINE_CHARS_MAX) sink.rejected(REJECTED.cellTooLong, text.slice(0, EXAMPLE_CHARS));
      else sink.entry(siblings.length === 0 ? { text, ...facts } : { text, ...facts, siblings });
    }
}

/** A quoted cell may span lines; an entry never does. */
const onOneLine = (text: string): string => (LINE_BREAK.test(text) ? text.replace(/[\r\n]+/g, ' ') : text);
const LINE_BREAK = /[\r\n]/;

const isLeftOut = (cells: Cells, columns: CsvColumns, { only, without }: CsvSpec): boolean =>
  (only !== undefined && !isWanted(cells[columns.only] ?? '', only.values)) ||
  (without !== undefined && cells.some((cell) => isWanted(cell, without)));

const isWanted = (value: string, wanted: readonly string[]): boolean =>
  wanted.some((one) => one.toLowerCase() === value.toLowerCase());

/** Joins `host` and `path` to a URL; without a path the entry is the host. */
function urlOf(host: string, path: string): readonly string[] {
  if (host === '') return [];
  if (path === '' || path === '/') return [host];
  const base = host.includes('://') ? host.replace(/\/$/, '') : `http://${host}`;
  return [path.startsWith('/') || path.startsWith('?') ? base + path : `${base}/${path}`];
}

/**
 * The other digests of the same file. With several files in one row, the n-th digest of each cell belongs to the n-th
 * file; when the cells hold different numbers of digests, the siblings are unknown.
 */
function siblingsOf(found: readonly Cells[], text: string, i: number): readonly string[] {
  const filled = found.filter((values) => values.length > 0);
  const [first = []] = filled;
  if (!DIGEST.test(text) || filled.some((values) => values.length !== first.length)) return [];
  return filled.map((values) => values[i] ?? '').filter((other) => other !== text && DIGEST.test(other));
}

type Facts = { -readonly [K in keyof Omit<Entry, 'text' | 'siblings'>]: Entry[K] };

/** The facts of a row about its entries. An unreadable cell is left out and the entry stays. */
function factsOf(cells: Cells, columns: CsvColumns, spec: CsvSpec): Facts {
  const facts: Facts = {};
  if (spec.entries !== undefined) facts.kind = spec.entries;
  if (!columns.hasFacts) return facts;
  const text = (column: number): string => cells[column] ?? '';
  const firstSeenMs = readDate(text(columns.firstSeen));
  if (firstSeenMs !== null) facts.firstSeenMs = firstSeenMs;
  const lastSeenMs = readDate(text(columns.lastSeen));
  if (lastSeenMs !== null) facts.lastSeenMs = lastSeenMs;
  const confidence = confidenceOf(text(columns.confidence), spec.confidenceScale ?? 1);
  if (confidence !== null) facts.confidence = confidence;
  const reference = printedItems(text(columns.reference))?.[0] ?? text(columns.reference);
  if (reference !== '') facts.reference = reference;
  const family = text(columns.family);
  if (family !== '') facts.family = family;
  const rank = text(columns.rank);
  if (/^0*[1-9]\d{0,8}$/.test(rank)) facts.rank = Number(rank);
  return facts;
}

function confidenceOf(text: string, scale: number): number | null {
  const number = text === '' ? Number.NaN : Number(text.replace(/%$/, ''));
  if (!Number.isFinite(number)) return null;
  return Math.min(CONFIDENCE_MAX, Math.max(0, Math.round(number * scale)));
}
