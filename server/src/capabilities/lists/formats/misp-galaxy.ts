import type { FormatParser, Sink } from './format.ts';
import { isJsonObject, jsonElements } from './json-elements.ts';
import { exampleOf, textsOf } from './json-entry.ts';

export type GalaxyName = { readonly name: string; readonly synonyms: readonly string[] };

const A_NAME = 'A name of an actor, tool or family, which is no indicator.';
const NO_NAME = 'This cluster of the galaxy has no name.';
const EXAMPLE_CHARS = 80;

/** Gives no entries: each cluster is counted as unsupported and its names are passed to `onName`. */
export function mispGalaxy(sink: Sink, onName: (name: GalaxyName) => void = () => undefined): FormatParser {
  const stream = jsonElements(['values[*]'], {
    element: (value) => {
      if (!isJsonObject(value) || typeof value.value !== 'string') {
        sink.rejected(NO_NAME, exampleOf(value));
        return;
      }
      const { meta } = value;
      sink.unsupported(A_NAME, value.value.slice(0, EXAMPLE_CHARS));
      onName({ name: value.value, synonyms: isJsonObject(meta) ? textsOf(meta.synonyms) : [] });
    },
    oversized: sink.rejected,
    broken: sink.rejected,
  });
  return { member: stream.end, write: stream.write, end: stream.end };
}
