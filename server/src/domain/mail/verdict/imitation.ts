import type { Imitation } from '../../lookalike/index.ts';
import { isWordBrand, ownsBrand } from '../../lookalike/index.ts';
import type { NameWord } from './item-word.ts';

/**
 * The brand that a host imitates, in the eyes of a reader of mail; null where the dataset ranks it, the caller allows it or the
 * brand owns it (contract 4.9 rule 5).
 */
export function imitationOf(host: string, { imitates, isRanked, isAllowed }: NameWord): Imitation | null {
  if (imitates === null || isRanked || isAllowed || ownsBrand(host, imitates.of)) return null;
  return imitates;
}

/** `outlook.firm.com` and `ledgerbooks.com` have a word in common with a brand, which is a weak sign. */
export const isWeakImitation = ({ of, technique }: Imitation): boolean =>
  isWordBrand(of) && (technique === 'subdomain' || technique === 'combosquat');
