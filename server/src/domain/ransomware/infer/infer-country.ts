import { countryOf } from '../countries.ts';
import { LEGAL_FORMS, NO_PLACES, PLACES, SUFFIXES_OF_ALL, SUFFIXES_OF_ONE } from './country-table.ts';
import { agreed, type Inferred, labelOf, type NamedVictim, wordsOf } from './victim-words.ts';

const OF_ALL: ReadonlySet<string> = new Set(SUFFIXES_OF_ALL.split(' '));

type Place = { readonly text: string; readonly country: string | null };
const PLACES_BY_LENGTH: readonly Place[] = [
  ...Object.entries(PLACES).flatMap(([country, list]) =>
    list.split(',').map((text) => ({ text: ` ${text.trim()} `, country })),
  ),
  ...NO_PLACES.split(',').map((text) => ({ text: ` ${text.trim()} `, country: null })),
].toSorted((a, b) => b.text.length - a.text.length);

/**
 * The country that a victim's domain, legal form or name shows, as alpha-2, with the rule that read it; null where no rule
 * applies or rules disagree. It is an inference, never the word of a tracker (decisions O65).
 */
export function inferCountry({ name, domain }: NamedVictim): Inferred<string> | null {
  return agreed([
    ...(domain === null ? [] : bySuffix(domain)),
    ...LEGAL_FORMS.flatMap(([form, country]) => {
      const hit = form.exec(name)?.[0];
      return hit === undefined ? [] : [{ value: country, rule: `legal form: ${hit.trim()}` }];
    }),
    ...byPlace(domain === null ? wordsOf(name) : `${wordsOf(name)}${wordsOf(labelOf(domain))}`),
  ]);
}

function bySuffix(domain: string): readonly Inferred<string>[] {
  const labels = domain.split('.').slice(1);
  const last = labels.at(-1) ?? '';
  // `com.co` is registered in Colombia, `co` alone by anyone.
  const isOfAll = OF_ALL.has(last) && labels.length === 1;
  const country = isOfAll || last === 'eu' ? null : (SUFFIXES_OF_ONE[last] ?? suffixCountry(last));
  return country === null ? [] : [{ value: country, rule: `suffix: .${labels.join('.')}` }];
}

const suffixCountry = (suffix: string): string | null => (suffix.length === 2 ? countryOf(suffix) : null);

function byPlace(words: string): readonly Inferred<string>[] {
  const found: Inferred<string>[] = [];
  let rest = words;
  for (const { text, country } of PLACES_BY_LENGTH) {
    if (!rest.includes(text)) continue;
    rest = rest.replace(text, ' ');
    if (country !== null) found.push({ value: country, rule: `place: ${text.trim()}` });
  }
  return found;
}
