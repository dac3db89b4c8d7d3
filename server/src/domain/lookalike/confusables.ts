/**
 * Letters that pass for one another in the fonts of an address bar, as data of our own: after each stands everything
 * that is read as it. Accents are not here: they are taken off before (NFKD). Digits that are written for letters
 * stand beside letters of other alphabets; `i`, `l` and `1` are one, and so are `g`, `q` and `9`.
 */
const READ_AS: Readonly<Record<string, string>> = {
  a: '4αаɑ',
  b: '86вьβƅɓ',
  c: 'сᴄ',
  d: 'ԁɗđժ',
  e: '3еєҽε',
  f: 'ƒϝғ',
  g: '9qɡԍգƍզԛ',
  h: 'һнհħ',
  j: 'јʝϳ',
  k: 'кκĸқ',
  l: '1iіӏιıɩǀł',
  m: 'мɱ',
  n: 'пηոռŋ',
  o: '0оοσөօøᴏ๐',
  p: 'рρþ',
  r: 'гᴦɾ',
  s: '5ѕꜱʂ',
  t: '7тτŧƭ',
  u: 'υսцʋᴜ',
  v: 'νѵᴠ',
  w: 'ԝωшɯᴡ',
  x: 'хχҳ',
  y: 'уγүყʏ',
  z: '2ᴢʐƶ',
};

/** By code point: what it is read as. */
export const LETTER_READ_AS: ReadonlyMap<string, string> = new Map(
  Object.entries(READ_AS).flatMap(([letter, others]) =>
    Array.from(others, (other): [string, string] => [other, letter]),
  ),
);

/** Two letters that pass for one. None of the results begins or ends another pair, so one pass is enough. */
export const PAIRS_READ_AS: ReadonlyMap<string, string> = new Map([
  ['rn', 'm'],
  ['vv', 'w'],
  ['cl', 'd'],
]);
