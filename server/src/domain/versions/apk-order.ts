import { compareDigits, compareText } from './digits.ts';

/**
 * A version of Alpine's apk: numbers, a letter, suffixes, a commit and a revision (`1.2.3b_rc4_p5~0a1b2c-r6`). The tokens are
 * compared in turn; where they differ in kind, the version that ends earlier is lower, unless the other goes on with a suffix
 * that comes before a release.
 */
export type ApkVersion = readonly ApkToken[];
type ApkToken = { readonly kind: Kind; readonly text: string };

/** In the order in which a missing token of one kind sorts against one of another: the later, the lower. */
const KINDS = ['part', 'digits', 'letter', 'suffix', 'suffix-number', 'commit', 'revision', 'end'] as const;
type Kind = (typeof KINDS)[number];

const SUFFIXES: readonly string[] = ['alpha', 'beta', 'pre', 'rc', 'cvs', 'svn', 'git', 'hg', 'p'];
const PRE_SUFFIXES = 4;
const VERSION =
  /^[0-9]+(?:\.[0-9]+)*[a-z]?(?:_(?:alpha|beta|pre|rc|cvs|svn|git|hg|p)[0-9]*)*(?:~[0-9a-f]+)?(?:-r[0-9]+)?$/;
const TOKEN =
  /\.(?<part>[0-9]+)|_(?<suffix>alpha|beta|pre|rc|cvs|svn|git|hg|p)(?<number>[0-9]*)|~(?<commit>[0-9a-f]+)|-r(?<revision>[0-9]+)|(?<letter>[a-z])|(?<digits>[0-9]+)/g;

export function parseApk(text: string): ApkVersion | null {
  if (!VERSION.test(text)) return null;
  const tokens = Array.from(text.matchAll(TOKEN), ({ groups = {} }) => tokensOf(groups));
  return [...tokens.flat(), { kind: 'end', text: '' }];
}

function tokensOf(found: Readonly<Record<string, string | undefined>>): readonly ApkToken[] {
  const { part, suffix, number = '', commit, revision, letter, digits = '' } = found;
  if (part !== undefined) return [{ kind: 'part', text: part }];
  if (suffix !== undefined)
    return [
      { kind: 'suffix', text: suffix },
      ...(number === '' ? [] : [{ kind: 'suffix-number', text: number } as const]),
    ];
  if (commit !== undefined) return [{ kind: 'commit', text: commit }];
  if (revision !== undefined) return [{ kind: 'revision', text: revision }];
  return letter === undefined ? [{ kind: 'digits', text: digits }] : [{ kind: 'letter', text: letter }];
}

export function compareApk(a: ApkVersion, b: ApkVersion): number {
  for (let at = 0; ; at += 1) {
    const [left, right] = [a[at], b[at]];
    if (left === undefined || right === undefined) return 0;
    const order = left.kind === right.kind ? compareTokens(left, right) : compareKinds(left, right);
    if (order !== 0) return order;
  }
}

function compareTokens({ kind, text }: ApkToken, { text: other }: ApkToken): number {
  if (kind === 'part') return comparePart(text, other);
  if (kind === 'suffix') return SUFFIXES.indexOf(text) - SUFFIXES.indexOf(other);
  return kind === 'letter' || kind === 'commit' ? compareText(text, other) : compareDigits(text, other);
}

/** Parts with leading zeros compare as text, so that 1.02 is below 1.1. */
const comparePart = (a: string, b: string): number =>
  a.startsWith('0') || b.startsWith('0') ? compareText(a, b) : compareDigits(a, b);

function compareKinds(a: ApkToken, b: ApkToken): number {
  if (isPreSuffix(a)) return -1;
  if (isPreSuffix(b)) return 1;
  return KINDS.indexOf(b.kind) - KINDS.indexOf(a.kind);
}

const isPreSuffix = ({ kind, text }: ApkToken): boolean =>
  kind === 'suffix' && SUFFIXES.indexOf(text) < PRE_SUFFIXES;
