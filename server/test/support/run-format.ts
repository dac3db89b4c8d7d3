import type { Entry, Sink } from '#capabilities/feeds/formats/format.ts';
import type { FormatSpec } from '#capabilities/feeds/formats/format-spec.ts';
import { openFormat } from '#capabilities/feeds/formats/open-format.ts';

export type FormatRun = {
  readonly entries: readonly Entry[];
  readonly unsupported: readonly (readonly [reason: string, example: string])[];
  readonly rejected: readonly (readonly [reason: string, example: string])[];
  /** The latest date the file declares. */
  readonly dataDateMs: number | null;
};
/** A file inside an archive: its path and its text in pieces. */
export type RunMember = { readonly path: string; readonly pieces: readonly string[] };

/** One file through a parser, as the pipeline does it. */
export const runFormat = (spec: FormatSpec, text: string | readonly string[]): FormatRun =>
  runMembers(spec, [{ path: '', pieces: typeof text === 'string' ? [text] : text }]);

export function runMembers(spec: FormatSpec, members: readonly RunMember[]): FormatRun {
  const entries: Entry[] = [];
  const unsupported: [string, string][] = [];
  const rejected: [string, string][] = [];
  let dataDateMs: number | null = null;
  const sink: Sink = {
    entry: (entry) => entries.push(entry),
    unsupported: (reason, example) => unsupported.push([reason, example]),
    rejected: (reason, example) => rejected.push([reason, example]),
    dataDate: (ms) => {
      dataDateMs = Math.max(ms, dataDateMs ?? ms);
    },
  };
  const parser = openFormat(spec, sink);
  for (const { path, pieces } of members) {
    parser.member?.(path);
    for (const piece of pieces) parser.write(piece);
  }
  parser.end();
  return { entries, unsupported, rejected, dataDateMs };
}

export const textsOf = ({ entries }: FormatRun): readonly string[] => entries.map(({ text }) => text);

/** The same text cut at the given places, which may repeat and be out of order. */
export function cutAt(text: string, places: readonly number[]): readonly string[] {
  const cuts = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...cuts].map((from, i) => text.slice(from, cuts[i] ?? text.length));
}
