/**
 * The landing lane tests every promise at the smallest meaningful size; `npm run proofs` runs the same tests,
 * and some more, at full size.
 */
export const IS_FULL_SIZE = process.env.ASSAY_LANE === 'proofs';

export const bySize = <T>(landing: T, proof: T): T => (IS_FULL_SIZE ? proof : landing);
