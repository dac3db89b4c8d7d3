import type { Imitation } from '../../lookalike/index.ts';
import { isWordBrand, ownsBrand } from '../../lookalike/index.ts';
import type { NameWord } from './item-word.ts';

/**
 * The brand that a host imitates for a reader of mail; null if a popularity list ranks the host, the caller allows it,
 * or the brand owns it (contract 4.9 rule 5).
 */
export function imitationOf(host: string, { imitates, isRanked, isAllowed }: NameWord): Imitation | null {
  if (imitates === null || isRanked || isAllowed || ownsBrand(host, imitates.of)) return null;
  return imitates;
}

/** A brand name that is also a word, as in `outlook.firm.com` or `ledgerbooks.com`, is only a weak sign. */
export const isWeakImitation = ({ of, technique }: Imitation): boolean =>
  isWordBrand(of) && (technique === 'subdomain' || technique === 'combosquat');
