const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/** X.Y.Z of numbers without leading zeros. There are no pre-releases (docs/operating/releases.md). */
export const isVersion = (text: string): boolean => VERSION.test(text);

/** Compares two valid versions; below zero when `a` is the older one. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  for (const [nth, number] of left.entries()) {
    const difference = number - (right[nth] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const numbersOf = (version: string): readonly number[] => version.split('.').map(Number);
