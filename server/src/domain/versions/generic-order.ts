import { compareDigits, compareText, isDigits, runsOf, withoutZeros } from './digits.ts';

/** Numbers and words of a version whose maker follows no known scheme. */
export type GenericVersion = readonly string[];

/** Words of versions that come before the release of the same number, in their order. */
const BEFORE: readonly string[] = [
  'dev',
  'snapshot',
  'nightly',
  'pre',
  'preview',
  'alpha',
  'beta',
  'milestone',
  'ea',
  'tp',
  'cr',
  'rc',
];
/** Letters that stand for such a word where a digit follows; the `b` of 1.0.2b is a later release. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['a', 'alpha'],
  ['b', 'beta'],
  ['m', 'milestone'],
]);
const SAME: readonly string[] = ['final', 'ga', 'release', 'stable', 'lts'];
const WORDS_MAX = 3;
const LENGTH_MAX = 100;
const SHAPE = /^v?[0-9][0-9A-Za-z]*(?:[._+~-]+[0-9A-Za-z]+)*$/i;
/** A long run that mixes digits with the letters a to f is a commit and not a version. */
const COMMIT = /^(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{12,64}$/i;

/**
 * Numbers compare as numbers, `rc` and its like come before the release, other words (`p18`, `sp1`, `k` in `1.0.2k`) after
 * it. Null for what does not begin like a version, for commits, and for text of more words than a version has.
 */
export function parseGeneric(text: string): GenericVersion | null {
  const bare = text.trim();
  if (bare.length > LENGTH_MAX || !SHAPE.test(bare) || COMMIT.test(bare)) return null;
  const runs = runsOf(bare.toLowerCase()).slice(/^v/i.test(bare) ? 1 : 0);
  const kept: string[] = [];
  let words = 0;
  for (const [at, run] of runs.entries()) {
    if (SAME.includes(run)) continue;
    if (isDigits(run)) {
      kept.push(withoutZeros(run));
      continue;
    }
    words += 1;
    dropZeros(kept);
    kept.push((isDigits(runs[at + 1] ?? '') ? SHORT.get(run) : undefined) ?? run);
  }
  dropZeros(kept);
  return words > WORDS_MAX ? null : kept;
}

/** 1.0 and 1.0.0 are equal, and so are 1.0-rc1 and 1.0.0-rc1. */
function dropZeros(runs: string[]): void {
  while (runs.length > 0 && runs.at(-1) === '0') runs.pop();
}

export function compareGeneric(a: GenericVersion, b: GenericVersion): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const left = a[at];
    const right = b[at];
    const order = rankOf(left) - rankOf(right) || compareRuns(left ?? '', right ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

/** In ascending order: words before the release, the end of the version, words after the release, numbers. */
function rankOf(run: string | undefined): number {
  if (run === undefined) return 1;
  if (isDigits(run)) return 3;
  return BEFORE.includes(run) ? 0 : 2;
}

function compareRuns(a: string, b: string): number {
  if (isDigits(a) && isDigits(b)) return compareDigits(a, b);
  return BEFORE.indexOf(a) - BEFORE.indexOf(b) || compareText(a, b);
}

/** The version and the update field of a CPE are one version: `4.2.8` and `p18` are 4.2.8p18. */
export const withUpdate = (version: string, update: string | null): string =>
  update === null || update === '' ? version : `${version}-${update}`;
