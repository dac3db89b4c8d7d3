/**
 * Characters that look alike in the fonts of address bars; each key is followed by the characters that are read as
 * it. Accents are missing because NFKD removes them first. Digits written for letters stand beside letters of other
 * alphabets; `i`, `l` and `1` are one letter, and so are `g`, `q` and `9`.
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

export const LETTER_READ_AS: ReadonlyMap<string, string> = new Map(
  Object.entries(READ_AS).flatMap(([letter, others]) =>
    Array.from(others, (other): [string, string] => [other, letter]),
  ),
);

/** Two letters that look like one. No result begins or ends another pair, so one pass is enough. */
export const PAIRS_READ_AS: ReadonlyMap<string, string> = new Map([
  ['rn', 'm'],
  ['vv', 'w'],
  ['cl', 'd'],
]);
