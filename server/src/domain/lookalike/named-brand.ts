import { BRAND_TABLE } from './brand-table.ts';
import type { FoldedText } from './fold-text.ts';
import { skeletonOf } from './skeleton.ts';

export type NamedBrand = {
  /** The brand's name as its owner writes it. */
  readonly name: string;
  /** The brand's first domain, which `ownsBrand` takes. */
  readonly brand: string;
};

/** Words of department names (support, billing), which beside a brand do not point to another sender. */
const DEPARTMENT: ReadonlySet<string> = new Set(
  `account accounts admin alert alerts app assistance auth bank banking billing bonus card care center centre cloud
  confirmation customer delivery department dept desk email express finance fraud help helpdesk id info invoice live login
  mail member message messages news no noreply notice notification notifications of official online operations order
  orders pay payment payments plus premium prime promo promotions protection receipt refund renewal reply rewards secure
  security service services shipping sign store subscription support supports system team tech the update updates us usa
  verification verify via wallet your und ihr kundenservice konto sicherheit service-team inc llc ltd gmbh com`
    .split(/\s+/)
    .map((word) => skeletonOf(word)),
);
const WORDS_MAX = 5;
/** A name of at most this many characters occurs in sentences by chance, so it needs a department word beside it. */
const ALONE_MIN = 3;

const compact = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => skeletonOf(word.toLowerCase()))
    .join('');

type Known = NamedBrand & { readonly isWord: boolean };
const BY_NAME: ReadonlyMap<string, Known> = new Map(
  BRAND_TABLE.flatMap(({ names, domains, isWord }) =>
    names.map((name, at): [string, Known] => {
      // Only the first name of a line may be a common word; its other names are distinctive.
      const isLoose = (isWord && at === 0) || compact(name).length <= ALONE_MIN;
      return [compact(name), { name, brand: domains[0] ?? '', isWord: isLoose }];
    }),
  ).toReversed(),
);

/**
 * The brand that a display name shows. A name that is also a word counts only where the rest is a department, so that
 * "Anna Chase" shows no bank and "Chase Support" does.
 */
export function namedBrandIn({ words }: FoldedText): NamedBrand | null {
  for (let from = 0; from < words.length; from += 1) {
    let joined = '';
    for (let to = from; to < Math.min(words.length, from + WORDS_MAX); to += 1) {
      joined += words[to] ?? '';
      const known = BY_NAME.get(joined);
      if (known === undefined) continue;
      const rest = [...words.slice(0, from), ...words.slice(to + 1)];
      if (!known.isWord || rest.every((word) => DEPARTMENT.has(word) || /^\d+$/.test(word)))
        return { name: known.name, brand: known.brand };
    }
  }
  return null;
}
