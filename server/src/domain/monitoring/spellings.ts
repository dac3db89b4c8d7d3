import type { Domain } from '../indicator/index.ts';
import { type Brand, brandOf, nameFormsOf } from '../lookalike/index.ts';

/** A watched name and its forms, by which the names that imitate it are found. */
export type WatchedName = { readonly brand: Brand; readonly forms: readonly string[] };

/**
 * The forms of a watched domain. Null for a name below its registrable domain (except `www`), and for a label of two
 * letters, because too many names resemble those by chance.
 */
export function watchedNameOf({ value, registrable }: Domain): WatchedName | null {
  if (registrable === null || (value !== registrable && value !== `www.${registrable}`)) return null;
  const brand = brandOf({ kind: 'domain', value: registrable, registrable });
  if (brand === null || brand.size === 'tiny') return null;
  return { brand, forms: [...new Set([...withOneLess(brand.skeleton), ...withOneLess(brand.label)])] };
}

/** Brands of this length and more match the beginning or end of a piece; from LONG_MIN on they match anywhere in it. */
const SHORT_MIN = 3;
const LONG_MIN = 6;

/**
 * The forms of a name: each name that imitates a watched one shares a form with it (tested). Two spellings one typing
 * error apart share a form because each also stands with any one letter left out.
 */
export function spellingsOf(domain: Domain): readonly string[] {
  const named = nameFormsOf(domain);
  if (named === null) return [];
  const forms = new Set([...withOneLess(named.skeleton), ...withOneLess(named.label)]);
  for (const piece of named.pieces) {
    for (const form of withOneLess(piece)) forms.add(form);
    for (let length = SHORT_MIN; length < piece.length; length += 1) {
      forms.add(piece.slice(0, length));
      forms.add(piece.slice(-length));
      if (length < LONG_MIN) continue;
      for (let at = 1; at + length < piece.length; at += 1) forms.add(piece.slice(at, at + length));
    }
  }
  return [...forms];
}

function withOneLess(text: string): readonly string[] {
  const forms = [text];
  for (let at = 0; at < text.length; at += 1) forms.push(text.slice(0, at) + text.slice(at + 1));
  return forms;
}
