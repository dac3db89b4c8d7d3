/** What a rule can read of a victim: its name, and the registrable domain where one is known. */
export type NamedVictim = { readonly name: string; readonly domain: string | null };

/** A value that a rule read from a victim's name or domain, and the rule in words, such as `name: hospital`. */
export type Inferred<T> = { readonly value: T; readonly rule: string };

/** Longer titles are announcements of the group rather than names. */
const WORDS_MAX = 12;
/** A word with an address in it, such as `www.example.com/x`. */
const SITE = /[\p{L}\p{N}]\.\p{L}{2}/u;
const isCut = (word: string): boolean => word.endsWith('..') || word.endsWith('…');

/** Lower case without accents, so that `Clínica` is `clinica`. */
export const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * The words of a name with a blank around each, for a search for whole words; empty for an announcement. Addresses in the
 * name and the last word of a title that the leak site cut are left out.
 */
export function wordsOf(name: string): string {
  const said = name.split(/\s/u).filter((word) => word !== '');
  const whole = isCut(said.at(-1) ?? '') ? said.slice(0, -1) : said;
  const text = whole.filter((word) => !SITE.test(word)).join(' ');
  const words = plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 || words.length > WORDS_MAX ? '' : ` ${words.join(' ')} `;
}

/** The name before the public suffix, such as `castro-urdiales` of `castro-urdiales.net`. */
export const labelOf = (domain: string): string => domain.split('.')[0] ?? '';

/** The only value that all rules agree on, with the first of these rules; null where they disagree. */
export function agreed<T>(found: readonly Inferred<T>[]): Inferred<T> | null {
  const [first] = found;
  return first !== undefined && found.every(({ value }) => value === first.value) ? first : null;
}
