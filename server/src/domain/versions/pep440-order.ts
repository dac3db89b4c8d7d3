import { compareDigits, compareText, isDigits } from './digits.ts';

/** A version of PEP 440, split and normalised. */
export type Pep440 = {
  readonly epoch: string;
  readonly release: readonly string[];
  readonly pre: { readonly phase: 'a' | 'b' | 'rc'; readonly number: string } | null;
  readonly post: string | null;
  readonly dev: string | null;
  readonly local: readonly string[];
};

const HEAD = /^v?(?:([0-9]+)!)?([0-9]+(?:\.[0-9]+)*)/;
const PRE = /^[-_.]?(alpha|beta|preview|pre|rc|a|b|c)[-_.]?([0-9]*)/;
const POST = /^(?:-([0-9]+)|[-_.]?(?:post|rev|r)[-_.]?([0-9]*))/;
const DEV = /^[-_.]?dev[-_.]?([0-9]*)/;
const LOCAL = /^\+([a-z0-9]+(?:[-_.][a-z0-9]+)*)$/;
const PHASES: Readonly<Record<string, 'a' | 'b' | 'rc'>> = {
  alpha: 'a',
  a: 'a',
  beta: 'b',
  b: 'b',
  c: 'rc',
  rc: 'rc',
  pre: 'rc',
  preview: 'rc',
};

export function parsePep440(text: string): Pep440 | null {
  let rest = text.trim().toLowerCase();
  const take = (expression: RegExp): RegExpExecArray | null => {
    const found = expression.exec(rest);
    if (found !== null) rest = rest.slice(found[0].length);
    return found;
  };
  const head = take(HEAD);
  if (head === null) return null;
  const pre = take(PRE);
  const post = take(POST);
  const dev = take(DEV);
  const local = rest === '' ? null : LOCAL.exec(rest);
  if (rest !== '' && local === null) return null;
  const phase = PHASES[pre?.[1] ?? ''];
  return {
    epoch: head[1] ?? '0',
    release: trimZeros((head[2] ?? '0').split('.')),
    pre: phase === undefined ? null : { phase, number: pre?.[2] || '0' },
    post: post === null ? null : (post[1] ?? (post[2] || '0')),
    dev: dev === null ? null : dev[1] || '0',
    local: local?.[1]?.split(/[-_.]/) ?? [],
  };
}

function trimZeros(release: readonly string[]): readonly string[] {
  let end = release.length;
  while (end > 1 && /^0+$/.test(release[end - 1] ?? '')) end -= 1;
  return release.slice(0, end);
}

export function comparePep440(a: Pep440, b: Pep440): number {
  return (
    compareDigits(a.epoch, b.epoch) ||
    compareRelease(a.release, b.release) ||
    comparePre(a, b) ||
    compareOptional(a.post, b.post, 'first') ||
    compareOptional(a.dev, b.dev, 'last') ||
    compareLocal(a.local, b.local)
  );
}

function compareRelease(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const order = compareDigits(a[at] ?? '0', b[at] ?? '0');
    if (order !== 0) return order;
  }
  return 0;
}

/** 1.0.dev1 comes before 1.0a1 and that before 1.0: a development release that is neither pre nor post comes first. */
function comparePre(a: Pep440, b: Pep440): number {
  const left = preRank(a);
  const right = preRank(b);
  if (left !== right) return left - right;
  return a.pre === null || b.pre === null ? 0 : compareDigits(a.pre.number, b.pre.number);
}

function preRank({ pre, post, dev }: Pep440): number {
  if (pre !== null) return { a: 1, b: 2, rc: 3 }[pre.phase];
  return post === null && dev !== null ? 0 : 4;
}

function compareOptional(a: string | null, b: string | null, absent: 'first' | 'last'): number {
  if (a !== null && b !== null) return compareDigits(a, b);
  if (a === b) return 0;
  return (a === null) === (absent === 'first') ? -1 : 1;
}

function compareLocal(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const left = a[at];
    const right = b[at];
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
    if (isDigits(left) !== isDigits(right)) return isDigits(left) ? 1 : -1;
    const order = isDigits(left) ? compareDigits(left, right) : compareText(left, right);
    if (order !== 0) return order;
  }
  return 0;
}
