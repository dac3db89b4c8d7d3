import type { Domain } from '../indicator/index.ts';
import { type Brand, partsOf } from './brand.ts';
import { skeletonOf } from './skeleton.ts';
import { slipsOf } from './slip.ts';

/** What an index keeps of a name, so that whatever it looks like is found by equality or by one contained text. */
export type Trace = {
  /** How the name is read, without its public suffix: that is the same for a million names and tells nothing. */
  readonly spelling: string;
  /** Pieces of its labels, and with `=` before it the whole label that was registered. */
  readonly tokens: readonly string[];
};

/** What is looked for in an index of traces: whatever is a look-alike of the brand has one of them (tested). */
export type Probes = {
  /** What one slip makes of it and, of a short brand, it with a keyword: rare, each of them. */
  readonly tokens: readonly string[];
  /** The brand as a whole piece; thousands of names have it. */
  readonly word: string;
  /** A text inside the spelling, which the word is as well; null for a short brand, whose letters stand in many words. */
  readonly inside: string | null;
};

/** Raised when names are traced by other rules, so that whoever keeps traces makes them anew. */
export const TRACE_FORMAT = 1;
const REGISTERED = '=';

/** Null for a name that nobody registered: a public suffix. */
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
    // Traces hold what is read: a digit is never in one.
    if (skeletonOf(slip) !== slip) continue;
    tokens.add(REGISTERED + slip);
    if (size === 'long') tokens.add(slip);
  }
  for (const slip of slipsOf(label)) tokens.add(REGISTERED + skeletonOf(slip));
  // No piece has a hyphen, so a brand that has one is found as the whole label.
  if (skeleton.includes('-')) tokens.add(REGISTERED + skeleton);
  else tokens.delete(REGISTERED + skeleton);
  return { tokens: [...tokens], word: skeleton, inside: size === 'long' ? skeleton : null };
}
