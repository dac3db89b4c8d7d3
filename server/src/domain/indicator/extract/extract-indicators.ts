import type { Indicator, ParseResult } from '../indicator.ts';
import { parseIndicator } from '../parse-indicator.ts';
import { type SpecialPurpose, specialPurposeOf } from '../special-purpose.ts';
import { findUrl, findUrlStart } from './find-url.ts';
import { type Findings, readWord } from './read-word.ts';
import { eachWord } from './words.ts';

export type FoundIndicator = {
  readonly indicator: Indicator;
  readonly raw: string;
  readonly count: number;
  readonly special: SpecialPurpose | null;
};
export type RejectedText = {
  readonly raw: string;
  readonly reason: string;
  readonly count: number;
};
export type Extraction = {
  readonly found: readonly FoundIndicator[];
  readonly rejected: readonly RejectedText[];
};

/**
 * Finds every indicator in a text of any format: log, table, JSON, mail, report, or one value on each line. Each is
 * returned once, in the order of first appearance. `rejected` holds text that was clearly meant as an indicator and
 * cannot be read; ordinary words are in neither list. One pass, in time linear in the length for any text.
 */
export function extractIndicators(text: string): Extraction {
  const found = new Map<string, Tally<FoundIndicator>>();
  const rejected = new Map<string, Tally<RejectedText>>();
  const take = (raw: string, result: ParseResult): void => {
    if (!result.ok) {
      count(rejected, raw, () => ({ raw, reason: result.reason, count: 1 }));
      return;
    }
    const { indicator } = result;
    count(found, `${indicator.kind} ${indicator.value}`, () => ({
      indicator,
      raw,
      count: 1,
      special: indicator.kind === 'ip' || indicator.kind === 'cidr' ? specialPurposeOf(indicator) : null,
    }));
  };
  const findings: Findings = { take, parse: createParser() };
  let at = 0;
  while (at < text.length) {
    const start = findUrlStart(text, at);
    eachWord(text, at, start, (word) => readWord(word, findings));
    if (start === text.length) break;
    const url = findUrl(text, start);
    take(url.raw, findings.parse(url.raw));
    at = url.end;
  }
  return { found: [...found.values()], rejected: [...rejected.values()] };
}

/** Remembers results, because logs repeat the same values. */
function createParser(): (raw: string) => ParseResult {
  const known = new Map<string, ParseResult>();
  return (raw) => {
    const before = known.get(raw);
    if (before !== undefined) return before;
    const parsed = parseIndicator(raw);
    known.set(raw, parsed);
    return parsed;
  };
}

type Tally<T> = Omit<T, 'count'> & { count: number };

function count<T>(into: Map<string, Tally<T>>, key: string, make: () => Tally<T>): void {
  const known = into.get(key);
  if (known === undefined) into.set(key, make());
  else known.count += 1;
}
