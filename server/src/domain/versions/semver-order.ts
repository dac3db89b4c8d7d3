import { compareDigits, compareText, isDigits } from './digits.ts';

/** SemVer 2.0.0. Missing minor and patch numbers count as 0, because records write `0.9` where they mean `0.9.0`. */
export type Semver = {
  readonly core: readonly string[];
  readonly pre: readonly string[];
};

const NUMBER = /^(?:0|[1-9][0-9]*)$/;
const IDENTIFIER = /^[0-9A-Za-z-]+$/;

export const parseSemver = (text: string): Semver | null => parseNumbers(text, 3);

/** NuGet follows SemVer, with a fourth number and without regard to capitals. */
export const parseNuget = (text: string): Semver | null => parseNumbers(text.toLowerCase(), 4);

function parseNumbers(text: string, numbersMax: number): Semver | null {
  const bare = /^[v=]/.test(text) ? text.slice(1) : text;
  const plus = bare.indexOf('+');
  if (
    plus !== -1 &&
    !bare
      .slice(plus + 1)
      .split('.')
      .every((part) => IDENTIFIER.test(part))
  )
    return null;
  const version = plus === -1 ? bare : bare.slice(0, plus);
  const dash = version.indexOf('-');
  const numbers = (dash === -1 ? version : version.slice(0, dash)).split('.');
  const pre = dash === -1 ? [] : version.slice(dash + 1).split('.');
  if (numbers.length > numbersMax || !numbers.every((part) => NUMBER.test(part))) return null;
  if (!pre.every((part) => IDENTIFIER.test(part) && (!isDigits(part) || NUMBER.test(part)))) return null;
  return { core: numbers, pre };
}

export function compareSemver(a: Semver, b: Semver): number {
  for (let at = 0; at < Math.max(a.core.length, b.core.length); at += 1) {
    const order = compareDigits(a.core[at] ?? '0', b.core[at] ?? '0');
    if (order !== 0) return order;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  return comparePre(a.pre, b.pre);
}

function comparePre(a: readonly string[], b: readonly string[]): number {
  for (const [at, left] of a.entries()) {
    const right = b[at];
    if (right === undefined) return 1;
    const order = compareIdentifier(left, right);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareIdentifier(a: string, b: string): number {
  const isNumberA = isDigits(a);
  const isNumberB = isDigits(b);
  if (isNumberA && isNumberB) return compareDigits(a, b);
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return compareText(a, b);
}
