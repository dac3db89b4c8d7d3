import { icannSuffixOf } from '../indicator/index.ts';
import { BRAND_TABLE, type OwnedBrand } from './brand-table.ts';
import { ownsBrand } from './brands.ts';

/** A word that stands for a brand inside a longer name. */
export type BrandWord = {
  readonly word: string;
  /** The brand as its owner writes it. */
  readonly name: string;
  /** The first domains of the owners, which `ownsBrand` takes. */
  readonly owners: readonly string[];
};

const LABEL_MIN = 5;
const NAME_MIN = 4;
/** Words of ordinary names that are also labels or names of a brand. */
const GENERIC: ReadonlySet<string> = new Set(
  `cloud click office windows live group store share hotels booking bookings tumblr parcel priceless discover target
  outlook`.split(/\s+/),
);

const compact = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/** The labels that the owner of a domain chose, without its public suffix. */
export function ownLabels(domain: string): readonly string[] {
  const registrable = icannSuffixOf(domain)?.registrable ?? null;
  if (registrable === null) return [];
  const suffix = registrable.length - registrable.indexOf('.');
  return domain.slice(0, domain.length - suffix).split('.');
}

const WORDS: ReadonlyMap<string, BrandWord> = wordsOf(BRAND_TABLE);

function wordsOf(table: readonly OwnedBrand[]): Map<string, BrandWord> {
  const words = new Map<string, BrandWord>();
  const note = (word: string, name: string, owner: string): void => {
    const known = words.get(word);
    if (known === undefined) words.set(word, { word, name, owners: [owner] });
    else if (!known.owners.includes(owner)) words.set(word, { ...known, owners: [...known.owners, owner] });
  };
  for (const { names, domains, isWord } of table) {
    const [owner = ''] = domains;
    const [first = ''] = names;
    // Only the first name of a line may be an ordinary word; its other names are distinctive.
    const ordinary = isWord ? compact(first) : '';
    const isWordOf = (word: string, least: number): boolean =>
      word.length >= least && word !== ordinary && !GENERIC.has(word);
    for (const name of names) if (isWordOf(compact(name), NAME_MIN)) note(compact(name), name, owner);
    for (const label of domains.flatMap(ownLabels)) if (isWordOf(label, LABEL_MIN)) note(label, first, owner);
  }
  return words;
}

/** Words of this length are looked for inside others: `chase` is in `purchase`, `netflix` is in nothing else. */
const INSIDE_MIN = 6;
const INDEXED = 4;
/** By their first four characters, because comparing every word at every place took ten times as long. */
const INSIDE: ReadonlyMap<string, readonly BrandWord[]> = Map.groupBy(
  [...WORDS.values()].filter(({ word }) => word.length >= INSIDE_MIN).sort(longestFirst),
  ({ word }) => word.slice(0, INDEXED),
);

function longestFirst(a: BrandWord, b: BrandWord): number {
  return b.word.length - a.word.length || (a.word < b.word ? -1 : 1);
}

/** The brand for which a whole piece of a name stands. */
export const brandWord = (piece: string): BrandWord | null => WORDS.get(piece) ?? null;

/**
 * The first brand in a text that `isForeign` accepts: a whole word of it, with or without the digits beside it, or a longer
 * brand word anywhere.
 */
export function brandInText(text: string, isForeign: (brand: BrandWord) => boolean): BrandWord | null {
  for (const pattern of [/[a-z0-9]+/g, /[a-z]+/g])
    for (const [piece] of text.matchAll(pattern)) {
      const known = WORDS.get(piece);
      if (known !== undefined && isForeign(known)) return known;
    }
  for (let at = 0; at + INSIDE_MIN <= text.length; at += 1)
    for (const brand of INSIDE.get(text.slice(at, at + INDEXED)) ?? [])
      if (text.startsWith(brand.word, at) && isForeign(brand)) return brand;
  return null;
}

/** The brand's word is in the name of the platform: `godaddysites.com` for GoDaddy. A short word must be a whole piece. */
export const isBrandOfPlatform = (word: string, platform: string): boolean =>
  word.length >= LABEL_MIN ? platform.includes(word) : platform.split(/[.-]/).includes(word);

/** True if the name, or a parent of it, belongs to an owner of the brand. */
export const belongsTo = (host: string, { owners }: Pick<BrandWord, 'owners'>): boolean =>
  owners.some((owner) => ownsBrand(host, owner));
