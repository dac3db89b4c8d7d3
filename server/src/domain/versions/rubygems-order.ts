import { compareDigits, compareText, isDigits, runsOf } from './digits.ts';

const VERSION = /^[0-9]+(?:\.[0-9A-Za-z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** The segments that Gem::Version compares: a hyphen reads as `.pre.`, zeros at the end of both parts are dropped. */
export function parseGem(text: string): readonly string[] | null {
  const bare = text.trim();
  if (!VERSION.test(bare)) return null;
  const segments = runsOf(bare.replaceAll('-', '.pre.'));
  const firstWord = segments.findIndex((segment) => !isDigits(segment));
  if (firstWord === -1) return trimZeros(segments);
  return [...trimZeros(segments.slice(0, firstWord)), ...trimZeros(segments.slice(firstWord))];
}

function trimZeros(segments: readonly string[]): readonly string[] {
  let end = segments.length;
  while (end > 0 && /^0+$/.test(segments[end - 1] ?? '')) end -= 1;
  return segments.slice(0, end);
}

export function compareGem(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const left = a[at] ?? '0';
    const right = b[at] ?? '0';
    if (isDigits(left) !== isDigits(right)) return isDigits(left) ? 1 : -1;
    const order = isDigits(left) ? compareDigits(left, right) : compareText(left, right);
    if (order !== 0) return order;
  }
  return 0;
}
