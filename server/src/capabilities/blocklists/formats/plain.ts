import { csvRow } from '#domain/text/csv.ts';
import { inertText } from '#domain/text/inert-text.ts';
import { annotationOf } from './annotation.ts';
import { type Format, PLAIN_TEXT, type Rendered, type RenderInput } from './format.ts';
import { LineSink } from './line-sink.ts';

const BOTH = ['addresses', 'names'] as const;
const REASON_MAX = 400;

export const PLAIN_FORMATS: readonly Format[] = [
  { name: 'text', kinds: BOTH, mediaType: PLAIN_TEXT, render: renderText },
  { name: 'csv', kinds: BOTH, mediaType: 'text/csv; charset=utf-8', render: renderCsv },
];

/** The entries as they stand in the list, nothing merged. */
function renderText({ entries, annotate }: RenderInput): Rendered {
  const lines = new LineSink();
  for (const entry of entries) lines.add(annotate ? `${entry.value} # ${annotationOf(entry)}` : entry.value);
  return { body: lines.end(), entries: entries.length, left: 0 };
}

function renderCsv({ entries, annotate }: RenderInput): Rendered {
  const lines = new LineSink();
  lines.addRaw(csvRow(annotate ? ['value', 'score', 'family', 'reason'] : ['value']));
  for (const { value, score, family, reason } of entries)
    lines.addRaw(
      csvRow(
        annotate ? [value, score, inertText(family, REASON_MAX), inertText(reason, REASON_MAX)] : [value],
      ),
    );
  return { body: lines.end(), entries: entries.length, left: 0 };
}
