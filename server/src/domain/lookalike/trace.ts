import type { Domain } from '../indicator/index.ts';
import { type Brand, partsOf } from './brand.ts';
import { readableLabel } from './punycode.ts';
import { skeletonOf } from './skeleton.ts';
import { slipsOf } from './slip.ts';

/** The form in which an index stores a name, so that its look-alikes are found by equality or by one substring. */
export type Trace = {
  /** The skeleton of the name without its public suffix, which a million names share. */
  readonly spelling: string;
  /** The pieces of the labels and, with `=` in front, the whole registered label. */
  readonly tokens: readonly string[];
};

/** The search terms for an index of traces: every look-alike of the brand matches one of them (tested). */
export type Probes = {
  /** Spellings with one typing error and, for a short brand, the brand with a keyword; each matches few names. */
  readonly tokens: readonly string[];
  /** The brand as a whole piece of a name, which matches thousands of names. */
  readonly word: string;
  /** A substring of the spelling, which also matches the word; null for a short brand, which many words contain. */
  readonly inside: string | null;
};

/** Raised when the rules for traces change, so that stored traces are rebuilt. */
export const TRACE_FORMAT = 1;
const REGISTERED = '=';

export function traceOf(domain: Domain): Trace | null {
  const parts = partsOf(domain);
  if (parts === null) return null;
  const label = skeletonOf(parts.label);
  const labels = [...parts.left.map(skeletonOf), label];
  const tokens = new Set([REGISTERED + label]);
  for (const each of labels) for (const piece of each.split('-')) if (piece !== '') tokens.add(piece);
  return { spelling: labels.join('.'), tokens: [...tokens] };
}

export function probesOf(brand: Brand): Probes {
  const { label, skeleton, size } = brand;
  const tokens = new Set(brand.glued);
  for (const slip of slipsOf(skeleton)) {
    // Traces hold skeletons, so a slip that is no skeleton, for example with a digit, matches none.
    if (skeletonOf(slip) !== slip) continue;
    tokens.add(REGISTERED + slip);
    if (size === 'long') tokens.add(slip);
  }
  for (const slip of slipsOf(label)) tokens.add(REGISTERED + skeletonOf(slip));
  // Pieces have no hyphen, so a brand with a hyphen is found only as the whole label.
  if (skeleton.includes('-')) tokens.add(REGISTERED + skeleton);
  else tokens.delete(REGISTERED + skeleton);
  return { tokens: [...tokens], word: skeleton, inside: size === 'long' ? skeleton : null };
}

/** The registered label as written and as skeleton, and the skeletons of the pieces of all labels. */
export type NameForms = {
  readonly label: string;
  readonly skeleton: string;
  readonly pieces: readonly string[];
};

export function nameFormsOf(domain: Domain): NameForms | null {
  const parts = partsOf(domain);
  if (parts === null) return null;
  const skeleton = skeletonOf(parts.label);
  const labels = [...parts.left.map(skeletonOf), skeleton];
  const pieces = new Set([...labels, ...labels.flatMap((each) => each.split('-'))]);
  pieces.delete('');
  return { label: readableLabel(parts.label), skeleton, pieces: [...pieces] };
}
