import type { Domain } from '../indicator/index.ts';
import { isCommonPart } from './brands.ts';
import { KEYWORDS } from './keywords.ts';
import { readableLabel } from './punycode.ts';
import { skeletonOf } from './skeleton.ts';

/** The parts of a registrable name: `www.paypal.co.uk` has the label `paypal` and `www` to its left. */
export type NameParts = {
  readonly registrable: string;
  readonly label: string;
  readonly left: readonly string[];
};

export function partsOf({ value, registrable }: Domain): NameParts | null {
  if (registrable === null) return null;
  const label = registrable.slice(0, registrable.indexOf('.'));
  const below = value.slice(0, Math.max(0, value.length - registrable.length - 1));
  return { registrable, label, left: below === '' ? [] : below.split('.') };
}

/**
 * How much of a name must be the brand. A brand of six letters or more is recognised anywhere. `purchase` contains
 * `chase` and `advisable` contains `visa`, so a short brand counts only alone or joined to a keyword, and two letters
 * only alone.
 */
export type BrandSize = 'long' | 'short' | 'tiny';
const LONG_MIN = 6;
const SHORT_MIN = 3;

export type Brand = {
  readonly registrable: string;
  /** The registered label, with Punycode decoded. */
  readonly label: string;
  readonly skeleton: string;
  readonly size: BrandSize;
  /** For a short brand: the skeletons of the brand with a keyword before or after it. */
  readonly glued: ReadonlySet<string>;
};

export function brandOf(domain: Domain): Brand | null {
  const parts = partsOf(domain);
  if (parts === null) return null;
  const label = readableLabel(parts.label);
  const skeleton = skeletonOf(parts.label);
  const size = isCommonPart(parts.registrable) ? 'short' : sizeOf(skeleton);
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
