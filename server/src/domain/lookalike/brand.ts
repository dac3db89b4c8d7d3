import type { Domain } from '../indicator/index.ts';
import { KEYWORDS } from './keywords.ts';
import { readableLabel } from './punycode.ts';
import { skeletonOf } from './skeleton.ts';

/** A registrable name as its parts: `www.paypal.co.uk` has the label `paypal` and `www` to its left. */
export type NameParts = {
  readonly registrable: string;
  readonly label: string;
  /** Labels below the registrable name, from the left. */
  readonly left: readonly string[];
};

export function partsOf({ value, registrable }: Domain): NameParts | null {
  if (registrable === null) return null;
  const label = registrable.slice(0, registrable.indexOf('.'));
  const below = value.slice(0, Math.max(0, value.length - registrable.length - 1));
  return { registrable, label, left: below === '' ? [] : below.split('.') };
}

/**
 * How much of a name must be the brand. A word of six letters or more is recognised anywhere; `chase` stands in
 * `purchase` and `visa` in `advisable`, so a short one counts alone or glued to a keyword; two letters only alone.
 */
export type BrandSize = 'long' | 'short' | 'tiny';
const LONG_MIN = 6;
const SHORT_MIN = 3;

/** The name whose look-alikes are asked for. */
export type Brand = {
  readonly registrable: string;
  /** As it is read, Punycode decoded. */
  readonly label: string;
  readonly skeleton: string;
  readonly size: BrandSize;
  /** Of a short brand: it with a keyword before or behind, as they are read. */
  readonly glued: ReadonlySet<string>;
};

/** Null for a name that nobody can register, such as `co.uk`. */
export function brandOf(domain: Domain): Brand | null {
  const parts = partsOf(domain);
  if (parts === null) return null;
  const label = readableLabel(parts.label);
  const skeleton = skeletonOf(parts.label);
  const size = sizeOf(skeleton);
  return {
    registrable: parts.registrable,
    label,
    skeleton,
    size,
    glued: size === 'short' ? gluedTo(label) : new Set(),
  };
}

function sizeOf({ length }: string): BrandSize {
  if (length >= LONG_MIN) return 'long';
  return length >= SHORT_MIN ? 'short' : 'tiny';
}

const gluedTo = (label: string): ReadonlySet<string> =>
  new Set(KEYWORDS.flatMap((word) => [skeletonOf(word + label), skeletonOf(label + word)]));
