import type { FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { isJsonObject, type JsonValue } from './json-elements.ts';
import { takeDate, takeObject, takeValue } from './json-entry.ts';
import { LINE_TOO_LONG, lineParser } from './lines.ts';

const NOT_JSON = 'The line is not JSON.';
const EXAMPLE_CHARS = 80;

/**
 * One JSON object per line. A broken line is rejected and the next one is read. An object without any of the fields
 * (Spamhaus ends its lists with metadata) is unsupported, and may give the date of the list.
 */
export function ndjsonList(sink: Sink, spec: Extract<FormatSpec, { kind: 'ndjson' }>): FormatParser {
  const { fields } = spec;
  return lineParser(
    (line) => {
      const text = line.trim();
      if (text === '') return;
      const value = parseLine(text);
      if (value === undefined) sink.rejected(NOT_JSON, text.slice(0, EXAMPLE_CHARS));
      else if (!isJsonObject(value)) takeValue(sink, value, fields.entries);
      else {
        if (value.type === 'metadata') takeDate(sink, value);
        takeObject(sink, value, fields);
      }
    },
    (start) => sink.rejected(LINE_TOO_LONG, start.slice(0, EXAMPLE_CHARS)),
  );
}

/** A line has at most 8,192 characters, so JSON.parse is bounded; it is also four times as fast as our parser. */
function parseLine(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
