/** Digits of any length as a number would compare: no precision is lost, and leading zeros do not count. */
export function compareDigits(a: string, b: string): number {
  const left = withoutZeros(a);
  const right = withoutZeros(b);
  if (left.length !== right.length) return left.length - right.length;
  return compareText(left, right);
}

/** By code unit, so that the order does not depend on a language. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const isDigits = (text: string): boolean => /^[0-9]+$/.test(text);

export function withoutZeros(digits: string): string {
  let start = 0;
  while (start < digits.length - 1 && digits.charCodeAt(start) === 48) start += 1;
  return start === 0 ? digits : digits.slice(start);
}

/** Runs of digits and runs of letters, in their order; everything else separates. */
export const runsOf = (text: string): readonly string[] => text.match(/[0-9]+|[A-Za-z]+/g) ?? [];
