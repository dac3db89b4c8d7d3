import { LINE_CHARS_MAX } from '#capabilities/lists/formats/format.ts';
import type { FormatSpec } from '#capabilities/lists/index.ts';
import { parseAsn, parseCrypto, parseIndicator } from '#domain/indicator/index.ts';
import { cutAt, type FormatRun, type RunMember, runMembers } from '#test/run-format.ts';
import type { Random } from './fuzz-random.ts';
import type { FuzzTarget } from './fuzz-targets.ts';

/**
 * CPU time for 64 KiB, because wall time depends on the load of the machine. The best of three tries counts.
 */
const MS_MAX = 250;
/** A range becomes up to 62 entries, so the limit grows with the entries. */
const MS_PER_ENTRY = 0.01;
const TRIES = 3;
const ENTRIES_PARSED_MAX = 500;
/**
 * An IPv6 range of two addresses in 5 characters can need 254 networks (csv-ranges), the most of all formats.
 */
const PIECES_PER_CHAR = 64;
const REASONS_MAX = 32;
/** An example holds one whole line at most; storage cuts it further. */
const EXAMPLE_CHARS_MAX = LINE_CHARS_MAX;

/** The defect of the parser that this input shows, or null. */
export function checkFormat(target: FuzzTarget, text: string, random: Random): string | null {
  const parts = partsOf(target, text, random);
  let whole: FormatRun;
  const start = performance.now();
  try {
    whole = runMembers(
      target.spec,
      parts.map(({ path, part }) => ({ path, pieces: [part] })),
    );
  } catch (error) {
    return `threw ${String(error)}`;
  }
  if (performance.now() - start > MS_MAX && isSlow(target.spec, parts)) return `took more than ${MS_MAX} ms`;
  const cuts = Array.from({ length: 1 + random.nat(6) }, () => random.nat(text.length + 1));
  let cut: FormatRun;
  try {
    cut = runMembers(
      target.spec,
      parts.map(({ path, part }) => ({ path, pieces: cutAt(part, cuts) })),
    );
  } catch (error) {
    return `threw when cut at ${cuts.join()}: ${String(error)}`;
  }
  if (JSON.stringify(cut) !== JSON.stringify(whole)) return `reads differently when cut at ${cuts.join()}`;
  return unbounded(whole, text.length) ?? unparsable(whole);
}

type Part = { readonly path: string; readonly part: string };

/** Formats that read archives get the text as several files. */
function partsOf({ paths }: FuzzTarget, text: string, random: Random): readonly Part[] {
  if (paths === undefined) return [{ path: '', part: text }];
  const cuts = Array.from({ length: random.nat(5) }, () => random.nat(text.length + 1));
  return cutAt(text, cuts).map((part) => ({ path: random.pick(paths), part }));
}

function isSlow(spec: FormatSpec, parts: readonly Part[]): boolean {
  const members: readonly RunMember[] = parts.map(({ path, part }) => ({ path, pieces: [part] }));
  const times = Array.from({ length: TRIES }, () => {
    const start = process.cpuUsage();
    const { entries } = runMembers(spec, members);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000 - entries.length * MS_PER_ENTRY;
  });
  return Math.min(...times) > MS_MAX;
}

function unbounded({ entries, unsupported, rejected }: FormatRun, chars: number): string | null {
  const pieces = entries.length + unsupported.length + rejected.length;
  if (pieces > 64 + chars * PIECES_PER_CHAR) return `made ${pieces} pieces of ${chars} characters`;
  const siblings = entries.reduce((most, entry) => Math.max(most, entry.siblings?.length ?? 0), 0);
  if (siblings > 16) return `gave one digest ${siblings} siblings`;
  const told = [...unsupported, ...rejected];
  // Runs are counted by reason, so a reason that quotes the input would fill their memory.
  const reasons = new Set(told.map(([reason]) => reason));
  if (reasons.size > REASONS_MAX) return `gave ${reasons.size} different reasons`;
  const longest = told.reduce((most, [, example]) => Math.max(most, example.length), 0);
  return longest > EXAMPLE_CHARS_MAX ? `gave an example of ${longest} characters` : null;
}

function unparsable({ entries }: FormatRun): string | null {
  for (const { text, kind } of entries.slice(0, ENTRIES_PARSED_MAX)) {
    try {
      if (kind === 'asn') parseAsn(text);
      else if (kind === 'crypto') parseCrypto(text);
      else parseIndicator(text);
    } catch (error) {
      return `found ${JSON.stringify(text)}, on which the indicator parser threw ${String(error)}`;
    }
  }
  return null;
}
