import { compareDigits, compareText, isDigits, withoutZeros } from './digits.ts';

/**
 * A token of a Maven version with what stands before it. The order is that of the POM reference:
 * a qualifier, however it is joined, before `-number` before `.number`; a missing token is the empty qualifier.
 */
type MavenToken = { readonly isHyphen: boolean; readonly value: string };
export type MavenVersion = readonly MavenToken[];

const ALLOWED = /^[0-9A-Za-z._+~ -]{1,256}$/;
/** Qualifiers before and after the empty one, which is a release. Others come after `sp`, in the order of letters. */
const QUALIFIERS: readonly string[] = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp'];
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['ga', ''],
  ['final', ''],
  ['release', ''],
  ['cr', 'rc'],
]);
/** Letters that stand for a qualifier only where a digit follows at once: 1.0-a1, but not 1.0-a. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['a', 'alpha'],
  ['b', 'beta'],
  ['m', 'milestone'],
]);

export function parseMaven(text: string): MavenVersion | null {
  const bare = text.trim().toLowerCase();
  if (!ALLOWED.test(bare) || !/[0-9]/.test(bare)) return null;
  const tokens: MavenToken[] = [];
  let isHyphen = false;
  for (const [at, part] of bare.split(/([._-])/).entries()) {
    if (at % 2 === 1) {
      isHyphen = part !== '.';
      continue;
    }
    // A change between digits and letters counts as a hyphen; an empty part is a zero.
    const runs = part.match(/[0-9]+|[^0-9]+/g) ?? ['0'];
    for (const [index, run] of runs.entries())
      tokens.push({ isHyphen: index > 0 || isHyphen, value: plainValue(run, runs[index + 1] !== undefined) });
  }
  return trimmed(tokens);
}

function plainValue(run: string, isDigitNext: boolean): string {
  if (isDigits(run)) return withoutZeros(run);
  return (isDigitNext ? SHORT.get(run) : undefined) ?? ALIASES.get(run) ?? run;
}

/** Drops zeros and empty qualifiers at the end, and those before each hyphen and each qualifier. */
function trimmed(tokens: readonly MavenToken[]): MavenVersion {
  const kept: MavenToken[] = [];
  for (const token of tokens) {
    if (token.isHyphen || !isDigits(token.value)) dropNulls(kept);
    kept.push(token);
  }
  dropNulls(kept);
  return kept;
}

function dropNulls(tokens: MavenToken[]): void {
  while (tokens.length > 0 && ['0', ''].includes(tokens.at(-1)?.value ?? '')) tokens.pop();
}

export function compareMaven(a: MavenVersion, b: MavenVersion): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const left = a[at];
    const right = b[at];
    const order = classOf(left) - classOf(right) || compareValues(left?.value ?? '', right?.value ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

function classOf(token: MavenToken | undefined): number {
  if (token === undefined || !isDigits(token.value)) return 0;
  return token.isHyphen ? 1 : 2;
}

function compareValues(a: string, b: string): number {
  if (isDigits(a) && isDigits(b)) return compareDigits(a, b);
  return rankOf(a) - rankOf(b) || (rankOf(a) === QUALIFIERS.length ? compareText(a, b) : 0);
}

function rankOf(qualifier: string): number {
  const rank = QUALIFIERS.indexOf(qualifier);
  return rank === -1 ? QUALIFIERS.length : rank;
}
