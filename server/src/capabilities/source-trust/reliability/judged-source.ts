import type { Source } from '#capabilities/corpus/index.ts';
import { LEARNING, priorOf } from '#domain/scoring/source-reliability.ts';
import type { DayRow } from './store.ts';

/** A source with fewer entries is not judged. Lineage has the same limit. */
export const ENTRIES_MIN = 100;

export type Standing =
  | 'learning'
  /** An operator set the reliability, so it stays. */
  | 'operator'
  | 'off'
  | 'not-a-threat'
  | 'too-few-entries';

/** The prior of a source: the catalogue's value, else that of its letter. */
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
 * A value is ours when it is the prior or the last learned one; `previous` covers a run that ended between the two
 * writes. The registry's default also counts as ours where the source is not in the catalogue. Every other value is an
 * operator's decision and is never overwritten.
 */
export function isOperators(current: number, { prior, isInCatalogue, last }: Known): boolean {
  const ours = [
    prior,
    ...(isInCatalogue ? [] : [LEARNING.byLetter.F]),
    ...(last === undefined ? [] : [last.previous, last.reliability]),
  ];
  return !ours.some((value) => isSame(value, current));
}

/** Compares values at the precision of a float4, in which the registry stores them. */
export const isSame = (a: number, b: number): boolean => Math.fround(a) === Math.fround(b);
