import type { Random } from './fuzz-random.ts';

export const INPUT_CHARS_MAX = 65_536;

const HOSTILE = [
  '\n',
  '\r',
  '\r\n',
  '\t',
  ' ',
  '\0',
  '\ufeff',
  '\u2028',
  '\ud800',
  '\udc00',
  '\u202e',
  'ß',
  'İ',
  '。',
  '\u{1f600}',
  '"',
  "'",
  '\\',
  '`',
  '#',
  ';',
  '!',
  '//',
  '/*',
  '*/',
  '|',
  ',',
  '.',
  '..',
  '*',
  '^',
  '$',
  '@',
  '%',
  '%00',
  '%zz',
  '0',
  '-1',
  '00000000000000000000',
  '99999999999999999999999999',
  '1e309',
  '0x7f',
  'NaN',
  '4294967296',
  '/0',
  '/33',
  '/129',
  '0.0.0.0',
  '255.255.255.255',
  '::',
  '::ffff:1.2.3.4',
  '2001:db8::/32',
  '[::1]:80',
  'localhost',
  'xn--',
  'xn--a',
  'http://',
  'hxxp://',
  '__proto__',
  'constructor',
  'toString',
  '<html>',
  '2024-02-31',
  '9999-99-99',
];
/** Openers whose repetition is expensive for recursive or backtracking parsers. */
const NESTERS = [
  '[',
  '{',
  '(',
  '{"a":',
  '[[',
  '"',
  '\\',
  '<',
  '[.',
  '||',
  'a.',
  'a-',
  '1.',
  '::',
  "'",
  '  ',
  '#',
  '@@',
  '((',
  'http://',
];

type Mutation = (
  text: string,
  random: Random,
  others: readonly string[],
  tokens: readonly string[],
) => string;

const MUTATIONS: readonly Mutation[] = [
  function flip(text, random) {
    const at = random.nat(text.length + 1);
    return (
      text.slice(0, at) +
      String.fromCharCode(random.nat(random.chance(0.8) ? 128 : 65_536)) +
      text.slice(at + 1)
    );
  },
  function cut(text, random) {
    const at = random.nat(text.length + 1);
    return text.slice(0, at) + text.slice(at + random.nat(random.chance(0.7) ? 8 : text.length + 1));
  },
  function repeat(text, random) {
    const at = random.nat(text.length + 1);
    const piece = text.slice(at, at + 1 + random.nat(32));
    return text.slice(0, at) + piece.repeat(1 + random.nat(random.chance(0.9) ? 8 : 2_000)) + text.slice(at);
  },
  function splice(text, random, others) {
    const other = random.pick(others);
    return text.slice(0, random.nat(text.length + 1)) + other.slice(random.nat(other.length + 1));
  },
  function insert(text, random, _, tokens) {
    const at = random.nat(text.length + 1);
    return text.slice(0, at) + random.pick(tokens) + text.slice(at);
  },
  function upset(text, random) {
    const at = random.nat(text.length + 1);
    return text.slice(0, at) + random.pick(HOSTILE) + text.slice(at);
  },
  function nest(text, random) {
    const at = random.nat(text.length + 1);
    return (
      text.slice(0, at) +
      random.pick(NESTERS).repeat(1 + random.nat(random.chance(0.9) ? 80 : 20_000)) +
      text.slice(at)
    );
  },
  function swapLines(text, random) {
    const lines = text.split('\n');
    const [from, to] = [random.nat(lines.length), random.nat(lines.length)];
    const moved = lines.splice(from, 1);
    lines.splice(to, 0, ...moved);
    return lines.join('\n');
  },
  function number(text, random) {
    const digits = String(random.nat(2 ** 31)).repeat(1 + random.nat(6));
    return text.replace(/\d+/, () => digits);
  },
  function grow(text, random) {
    return text.repeat(
      1 + random.nat(random.chance(0.95) ? 4 : Math.ceil(INPUT_CHARS_MAX / (text.length + 1))),
    );
  },
];

/** A seed after a few mutations; never longer than 64 KiB. */
export function mutateText(
  text: string,
  random: Random,
  others: readonly string[],
  tokens: readonly string[],
): string {
  let current = text;
  for (let i = 1 + random.nat(6); i > 0; i--)
    current = random.pick(MUTATIONS)(current, random, others, tokens).slice(0, INPUT_CHARS_MAX);
  return current;
}
