import { parseIndicator } from '../../server/src/domain/indicator/index.ts';
import { BRANDS, TECHNIQUES, type Technique } from '../../server/src/domain/lookalike/index.ts';

export type Planted = { readonly technique: Technique; readonly name: string };

/** A rare suffix, so that a planted name is not on a list already. */
const SUFFIX = 'voyage';
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  a: 'а',
  e: 'е',
  o: 'о',
  p: 'р',
  c: 'с',
  s: 'ѕ',
  h: 'һ',
  d: 'ԁ',
  y: 'у',
  i: 'і',
};

/** Shorter brands lack some techniques: `bb` has no two letters to swap, `n26` no letter with a look-alike. */
const LETTERS_MIN = 5;
export const PLANTED_BRANDS: readonly string[] = BRANDS.filter((brand) => brand.indexOf('.') >= LETTERS_MIN);

/** One look-alike of the brand per technique, written independently of the code that must find it. */
export function plantedFor(brandName: string): readonly Planted[] {
  const label = brandName.slice(0, brandName.indexOf('.'));
  const written: Readonly<Record<Technique, string>> = {
    typosquat: `${swapped(label)}.${SUFFIX}`,
    homoglyph: `${disguised(label)}.${SUFFIX}`,
    tld: `${label}.${SUFFIX}`,
    combosquat: `secure-${label}-login.${SUFFIX}`,
    subdomain: `${brandName}.session-check.${SUFFIX}`,
  };
  return TECHNIQUES.map((technique) => ({ technique, name: canonical(written[technique]) }));
}

function swapped(label: string): string {
  for (let at = label.length - 2; at >= 0; at -= 1) {
    const [one, other] = [label.charAt(at), label.charAt(at + 1)];
    // `i` and `l` look alike, so swapping them would be the homoglyph technique.
    if (one === other || (/[il1]/.test(one) && /[il1]/.test(other))) continue;
    return label.slice(0, at) + other + one + label.slice(at + 2);
  }
  throw new Error(`'${label}' has no two letters to exchange.`);
}

function disguised(label: string): string {
  const at = Array.from(label).findIndex((letter) => LOOKS_LIKE[letter] !== undefined);
  if (at < 0) throw new Error(`'${label}' has no letter with a double.`);
  return label.slice(0, at) + LOOKS_LIKE[label.charAt(at)] + label.slice(at + 1);
}

function canonical(text: string): string {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(`'${text}' is no name: ${parsed.reason}`);
  return parsed.indicator.value;
}
