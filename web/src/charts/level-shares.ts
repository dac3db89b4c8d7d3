import type { Tone } from '../ui/verdict-mark.tsx';

export type LevelPart = {
  readonly id: string;
  /** The level decides the shade of the part; several words may have the same level. */
  readonly level: string;
  readonly word: string;
  readonly tone: Tone;
  readonly count: number;
};

type LevelShare = LevelPart & { readonly percent: number };

export function levelShares(parts: readonly LevelPart[]): readonly LevelShare[] {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  return parts.map((part) => ({ ...part, percent: (100 * part.count) / Math.max(1, total) }));
}

/** The parts of the bar: a part is drawn at least two pixels wide, so one that counts nothing is not drawn. */
export const drawnShares = (shares: readonly LevelShare[]): readonly LevelShare[] =>
  shares.filter(({ count }) => count > 0);
