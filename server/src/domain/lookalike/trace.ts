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
  /** The results of one typing error and, for a short brand, the brand with a keyword; each matches few names. */
  readonly tokens: readonly string[];
  /** The brand as a whole piece, which thousands of names have. */
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
    // Traces hold skeletons, and a skeleton has no digits.
    if (skeletonOf(slip) !== slip) continue;
    tokens.add(REGISTERED + slip);
    if (size === 'long') tokens.add(slip);
  }
  for (const slip of slipsOf(label)) tokens.add(REGISTERED + skeletonOf(slip));
  // Pieces have no hyphen, so a brand with one is only found as the whole label.
  if (skeleton.includes('-')) tokens.add(REGISTERED + skeleton);
  else tokens.delete(REGISTERED + skeleton);
  return { tokens: [...tokens], word: skeleton, inside: size === 'long' ? skeleton : null };
}

/** The registered label as it is written and as it is read, and the pieces of all labels as they are read. */
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
