import { parseIndicator } from '#domain/indicator/index.ts';
import { coverOf } from './cidr-cover.ts';
import { csvRecords } from './csv-records.ts';
import type { FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { REJECTED } from './not-listed.ts';

/** A cheap check that avoids the full parseIndicator for other text. */
const ADDRESS = /^[0-9a-f.:]{2,45}$/i;
const EXAMPLE_CHARS = 200;

type CsvRangesSpec = Extract<FormatSpec, { kind: 'csv-ranges' }>;

/** First and last address of a range in two columns. The entries are the CIDRs that cover it exactly. */
export function csvRanges(sink: Sink, spec: CsvRangesSpec): FormatParser {
  let isHeader = spec.header === true;
  return csvRecords(
    sink,
    spec.delimiter ?? ',',
    (cells, record) => {
      if (isHeader) {
        isHeader = false;
        return;
      }
      const cover = rangeOf(cells[spec.first] ?? '', cells[spec.last] ?? '');
      if (cover === null) sink.rejected(REJECTED.range, record.slice(0, EXAMPLE_CHARS));
      else for (const text of cover) sink.entry({ text });
    },
    undefined,
    () => {
      isHeader = spec.header === true;
    },
  );
}

function rangeOf(firstText: string, lastText: string): readonly string[] | null {
  if (!ADDRESS.test(firstText) || !ADDRESS.test(lastText)) return null;
  const first = parseIndicator(firstText);
  const last = parseIndicator(lastText);
  if (!first.ok || !last.ok || first.indicator.kind !== 'ip' || last.indicator.kind !== 'ip') return null;
  return coverOf(first.indicator, last.indicator);
}
