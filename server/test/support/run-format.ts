import { openFormat } from '#capabilities/lists/formats/open-format.ts';
import type { Entry, FormatSpec, Sink } from '#capabilities/lists/index.ts';

export type FormatRun = {
  readonly entries: readonly Entry[];
  readonly unsupported: readonly (readonly [reason: string, example: string])[];
  readonly rejected: readonly (readonly [reason: string, example: string])[];
  readonly dataDateMs: number | null;
};
/** A file inside an archive: its path and its text in pieces. */
export type RunMember = { readonly path: string; readonly pieces: readonly string[] };

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

/** The text cut at the given offsets, which may repeat and be unordered. */
export function cutAt(text: string, places: readonly number[]): readonly string[] {
  const cuts = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...cuts].map((from, i) => text.slice(from, cuts[i] ?? text.length));
}
