import type { Domain } from '../indicator/index.ts';
import { type Brand, partsOf } from './brand.ts';
import { readableLabel } from './punycode.ts';
import { skeletonOf } from './skeleton.ts';
import { type Slip, slipBetween } from './slip.ts';

/** The techniques of decisions 3.4 without `exact`: a brand is not its own look-alike. */
export const TECHNIQUES = ['typosquat', 'homoglyph', 'tld', 'combosquat', 'subdomain'] as const;
export type Technique = (typeof TECHNIQUES)[number];

export type Lookalike = {
  readonly technique: Technique;
  /** 0 to 1: how easily the name is taken for the brand. Only used to order names of equal risk. */
  readonly closeness: number;
};

/**
 * For each typing error: the shortest brand that is still recognised, and the closeness. A brand of three letters is
 * not recognised with one missing.
 */
const SLIP_FACTS: Readonly<Record<Slip, { readonly lengthMin: number; readonly closeness: number }>> = {
  transposition: { lengthMin: 3, closeness: 0.9 },
  repetition: { lengthMin: 3, closeness: 0.88 },
  adjacentKey: { lengthMin: 3, closeness: 0.84 },
  omission: { lengthMin: 4, closeness: 0.86 },
  insertion: { lengthMin: 4, closeness: 0.8 },
  bitFlip: { lengthMin: 4, closeness: 0.78 },
  substitution: { lengthMin: 5, closeness: 0.74 },
};
const HOMOGLYPH: Lookalike = { technique: 'homoglyph', closeness: 0.95 };
const OTHER_SUFFIX: Lookalike = { technique: 'tld', closeness: 0.92 };
const SLIP_INSIDE_FACTOR = 0.7;
const WHOLE_PIECE = 0.72;
const INSIDE_PIECE = 0.6;
const BELOW_FACTOR = 0.9;
/** Typing errors only produce characters that a host name may have. */
const PLAIN = /^[a-z0-9-]+$/;

/** How the name imitates the brand, judged by its closest label; null when it does not or when the brand owns it. */
export function lookalikeOf(brand: Brand, domain: Domain): Lookalike | null {
  const parts = partsOf(domain);
  if (parts === null || parts.registrable === brand.registrable) return null;
  return asRegistered(brand, parts.label) ?? asBelow(brand, parts.left);
}

function asRegistered(brand: Brand, label: string): Lookalike | null {
  const shown = readableLabel(label);
  if (shown === brand.label) return OTHER_SUFFIX;
  const skeleton = skeletonOf(label);
  if (skeleton === brand.skeleton) return HOMOGLYPH;
  const slip = slipCloseness(brand, shown, skeleton);
  if (slip > 0) return { technique: 'typosquat', closeness: slip };
  const inside = insideCloseness(brand, skeleton);
  if (inside > 0) return { technique: 'combosquat', closeness: inside };
  const slipInside = slipInsideCloseness(brand, skeleton);
  return slipInside > 0 ? { technique: 'typosquat', closeness: slipInside } : null;
}

/** `paypal.com.evil.example`: the owner of a name chooses every label to its left. */
function asBelow(brand: Brand, left: readonly string[]): Lookalike | null {
  let closeness = 0;
  for (const label of left) {
    const skeleton = skeletonOf(label);
    closeness = Math.max(closeness, insideCloseness(brand, skeleton), slipInsideCloseness(brand, skeleton));
  }
  return closeness > 0 ? { technique: 'subdomain', closeness: closeness * BELOW_FACTOR } : null;
}

/** Compares the label and its skeleton: `herny` is one typing error from `henry`, but its skeleton is `hemy`. */
function slipCloseness(brand: Brand, shown: string, skeleton: string): number {
  const written = PLAIN.test(shown) ? slipBetween(brand.label, shown) : null;
  const read = PLAIN.test(skeleton) ? slipBetween(brand.skeleton, skeleton) : null;
  return Math.max(closenessOf(brand, written), closenessOf(brand, read));
}

function closenessOf(brand: Brand, slip: Slip | null): number {
  if (slip === null) return 0;
  const { lengthMin, closeness } = SLIP_FACTS[slip];
  return brand.skeleton.length >= lengthMin ? closeness : 0;
}

function insideCloseness(brand: Brand, skeleton: string): number {
  if (skeleton.split('-').includes(brand.skeleton)) return WHOLE_PIECE;
  if (brand.size === 'long') return skeleton.includes(brand.skeleton) ? INSIDE_PIECE : 0;
  return skeleton.split('-').some((piece) => brand.glued.has(piece)) ? INSIDE_PIECE : 0;
}

/** Finds `micosoft-support`. Long brands only, because a short brand with a typing error is often another word. */
function slipInsideCloseness(brand: Brand, skeleton: string): number {
  if (brand.size !== 'long') return 0;
  let closest = 0;
  for (const piece of skeleton.split('-'))
    if (PLAIN.test(piece))
      closest = Math.max(closest, closenessOf(brand, slipBetween(brand.skeleton, piece)));
  return closest * SLIP_INSIDE_FACTOR;
}
