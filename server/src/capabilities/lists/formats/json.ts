import type { FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { dateOf } from './json-date.ts';
import { isJsonObject, jsonElements } from './json-elements.ts';
import { DATE_PATHS, takeObject, takeValue } from './json-entry.ts';
import { withScheme } from './listed-name.ts';

/**
 * A JSON file with entries at known paths: plain arrays, the ranges that providers publish, objects with details. An
 * object is rejected when the row names no fields, because the row then describes another file.
 */
export function jsonList(sink: Sink, spec: Extract<FormatSpec, { kind: 'json' }>): FormatParser {
  const { each, fields } = spec;
  const listed = spec.schemelessUrls === true ? withUrls(sink) : sink;
  const stream = jsonElements([...each, ...DATE_PATHS], {
    element: (value, path) => {
      if (path >= each.length) {
        const ms = dateOf(value);
        if (ms !== undefined) sink.dataDate(ms);
      } else if (fields !== undefined && isJsonObject(value)) takeObject(listed, value, fields);
      else takeValue(listed, value, fields?.entries);
    },
    oversized: sink.rejected,
    broken: sink.rejected,
  });
  return { member: stream.end, write: stream.write, end: stream.end };
}

/** `host/path` without a scheme is an http URL. */
const withUrls = (sink: Sink): Sink => ({
  ...sink,
  entry: (entry) => sink.entry({ ...entry, text: withScheme(entry.text) }),
});
