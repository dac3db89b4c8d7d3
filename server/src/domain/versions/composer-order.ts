import { compareDigits } from './digits.ts';

/** A version of Composer: four numbers, a stability with numbers of its own, and whether it is a development version. */
export type ComposerVersion = {
  readonly numbers: readonly string[];
  readonly stability: number;
  readonly counts: readonly string[];
  readonly isDev: boolean;
};

const CLASSIC = /^v?([0-9]{1,5}(?:\.[0-9]+){0,3})/;
const DATED = /^v?([0-9]{4}(?:[.:-]?[0-9]{2}){1,6}(?:[.:-]?[0-9]{1,3}){0,2})/;
const MODIFIER = /^[._-]?(?:(stable|beta|b|rc|alpha|a|patch|pl|p)([0-9]*(?:[.-][0-9]+)*))?([.-]?dev)?$/;
const STABILITIES: Readonly<Record<string, number>> = {
  alpha: 1,
  a: 1,
  beta: 2,
  b: 2,
  rc: 3,
  stable: 4,
  patch: 5,
  pl: 5,
  p: 5,
};
const STABLE = 4;

/** Null for a branch (`dev-main`): branches have no order. */
export function parseComposer(text: string): ComposerVersion | null {
  const bare = text.trim().toLowerCase();
  const plus = bare.indexOf('+');
  const version = plus === -1 ? bare : bare.slice(0, plus);
  return parseWith(version, CLASSIC) ?? parseWith(version, DATED);
}

function parseWith(text: string, expression: RegExp): ComposerVersion | null {
  const head = expression.exec(text);
  const tail = head === null ? null : MODIFIER.exec(text.slice(head[0].length));
  if (head === null || tail === null) return null;
  const numbers = (head[1] ?? '').split(/[.:-]/);
  const isDev = tail[3] !== undefined;
  const word = tail[1];
  return {
    numbers: expression === CLASSIC ? [...numbers, '0', '0', '0'].slice(0, 4) : numbers,
    // A development version without another stability comes before the first alpha.
    stability: word === undefined ? (isDev ? 0 : STABLE) : (STABILITIES[word] ?? STABLE),
    // `stable` is the release itself, so numbers after it do not count.
    counts: word === undefined || word === 'stable' ? [] : (tail[2]?.match(/[0-9]+/g) ?? []),
    isDev: isDev && word !== undefined && word !== 'stable',
  };
}

export const compareComposer = (a: ComposerVersion, b: ComposerVersion): number =>
  compareNumbers(a.numbers, b.numbers) ||
  a.stability - b.stability ||
  compareNumbers(a.counts, b.counts) ||
  Number(b.isDev) - Number(a.isDev);

/** The longer list comes later when the rest is equal: beta is before beta1. */
function compareNumbers(a: readonly string[], b: readonly string[]): number {
  for (const [at, left] of a.entries()) {
    const right = b[at];
    if (right === undefined) return 1;
    const order = compareDigits(left, right);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
