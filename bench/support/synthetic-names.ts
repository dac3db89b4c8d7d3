import { BRANDS } from '../../server/src/domain/lookalike/index.ts';
import { randomNumbers } from './random-numbers.ts';

const SYLLABLES =
  'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo vu'.split(
    ' ',
  );
const WORDS = 'login secure account verify update support wallet mail online pay shop id service help'.split(
  ' ',
);
const SUFFIXES = [
  'com',
  'net',
  'org',
  'ru',
  'xyz',
  'top',
  'info',
  'co.uk',
  'com.br',
  'online',
  'pages.dev',
  'web.app',
];
/** In the data set 37,000 of 2.0 M listed names contain one of the brands. */
const BRANDED_ONE_IN = 54;

/**
 * Names like those on phishing and malware lists, the same on every run: synthetic words, some with a brand in them.
 */
export function* syntheticNames(count: number): Generator<string> {
  const next = randomNumbers(11);
  const pick = (list: readonly string[]): string => list[next() % list.length] as string;
  const word = (): string => Array.from({ length: 2 + (next() % 3) }, () => pick(SYLLABLES)).join('');
  const seen = new Set<string>();
  while (seen.size < count) {
    const brand = next() % BRANDED_ONE_IN === 0 ? pick(BRANDS).split('.')[0] : undefined;
    const parts = [brand ?? word(), ...(next() % 2 === 0 ? [pick(WORDS)] : []), ...(brand ? [word()] : [])];
    const left = next() % 5 === 0 ? `${pick(WORDS)}.` : '';
    const name = `${left}${parts.join('-')}${next() % 1_000}.${pick(SUFFIXES)}`;
    if (seen.has(name)) continue;
    seen.add(name);
    yield name;
  }
}
