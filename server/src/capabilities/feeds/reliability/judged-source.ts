import type { Source } from '#capabilities/corpus/index.ts';
import { LEARNING, priorOf } from '#domain/scoring/source-reliability.ts';
import type { DayRow } from './store.ts';

/** Fewer entries say nothing of a list (as with lineage). */
export const ENTRIES_MIN = 100;

export type Standing =
  /** Learned, or still what it started with. */
  | 'learning'
  /** Somebody set it: it stays. */
  | 'operator'
  | 'off'
  | 'not-a-threat'
  | 'too-few-entries';

/** Where a source starts: what the catalogue says, else its letter. */
export const priorFor = (
  { letter, aggregate }: Pick<Source, 'letter' | 'aggregate'>,
  catalogue: number | undefined,
): number => catalogue ?? priorOf(letter, aggregate);

export type Known = {
  readonly prior: number;
  readonly isInCatalogue: boolean;
  readonly last: Pick<DayRow, 'previous' | 'reliability'> | undefined;
};

export function standingOf(source: Source, known: Known): Standing {
  if (source.threatClass !== 'threat' || source.adOnly) return 'not-a-threat';
  if (!source.enabled) return 'off';
  if (isOperators(source.reliability, known)) return 'operator';
  return source.entries < ENTRIES_MIN ? 'too-few-entries' : 'learning';
}

/**
 * A value is ours when it is where the source started or what was learned last; `previous` is there in case a run ended
 * between the two. The registry's own default stands for nothing said where no catalogue speaks. Everything else was
 * somebody's decision and is never overwritten.
 */
export function isOperators(current: number, { prior, isInCatalogue, last }: Known): boolean {
  const ours = [
    prior,
    ...(isInCatalogue ? [] : [LEARNING.byLetter.F]),
    ...(last === undefined ? [] : [last.previous, last.reliability]),
  ];
  return !ours.some((value) => isSame(value, current));
}

/** Stored with the precision of a float4. */
export const isSame = (a: number, b: number): boolean => Math.fround(a) === Math.fround(b);
