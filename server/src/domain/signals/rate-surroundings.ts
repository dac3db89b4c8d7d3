import { CROWDED_SYSTEM_SHARE } from './crowded.ts';

/** Listed addresses, and how many addresses there are in the part of the announced space that was read. */
export type ListedShare = { readonly listed: number; readonly space: number };
export type SurroundingsLevel = 'low' | 'medium' | 'high';

/** 24 of the 256 addresses of a /24: the density from which a network foresees further listings best. */
const HIGH_SHARE = 24 / 256;

/**
 * The level of the surroundings of an address, by the share of listed addresses. Bands of their own: real lists accuse
 * 1.2 million of some 3 billion announced addresses (0.04 %), so even a large cloud with thousands of listed customers is low.
 */
export function rateSurroundings({ listed, space }: ListedShare): SurroundingsLevel {
  const share = space === 0 ? 0 : listed / space;
  if (share >= HIGH_SHARE) return 'high';
  return share >= CROWDED_SYSTEM_SHARE ? 'medium' : 'low';
}
