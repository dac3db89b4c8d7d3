export type TokenKind =
  | 'keyword'
  | 'name'
  | 'hyphen-name'
  | 'string'
  | 'int'
  | 'float'
  | 'bool'
  | 'timestamp'
  | 'binary'
  | 'hex'
  | 'operator'
  | 'mark'
  | 'end';

export type Token = { readonly kind: TokenKind; readonly text: string; readonly at: number };

/** Thrown on a text that is no STIX pattern; `at` is the character where reading stopped. */
export class PatternError extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(`${message} at character ${at}`);
    this.at = at;
  }
}

/** Words of the grammar; they are upper case and cannot name a property. */
const KEYWORDS = new Set([
  'AND',
  'OR',
  'NOT',
  'FOLLOWEDBY',
  'LIKE',
  'MATCHES',
  'ISSUPERSET',
  'ISSUBSET',
  'EXISTS',
  'LAST',
  'IN',
  'START',
  'STOP',
  'SECONDS',
  'WITHIN',
  'REPEATS',
  'TIMES',
]);

const SPACE =
  /(?:[ \t\r\n\v\f\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|\/\*[\s\S]*?\*\/|\/\/[^\r\n]*)+/y;
const TIMESTAMP =
  /t'\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?Z'/y;

/** Tried in this order: `float` stands before `int` and before the mark `.`, which match its beginning too. */
const FORMS: readonly (readonly [TokenKind, RegExp])[] = [
  ['timestamp', TIMESTAMP],
  ['binary', /b'(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)'/y],
  ['hex', /h'(?:[0-9A-Fa-f]{2})*'/y],
  ['float', /[+-]?\d*\.\d+/y],
  ['int', /[+-]?(?:0|[1-9]\d*)(?!\d)/y],
  ['operator', /==|!=|<>|<=|>=|[=<>]/y],
  ['mark', /[[\]():.,*]/y],
];
const STRING_START = "'";
const NAME = /[A-Za-z_][A-Za-z0-9_-]*/y;

/** Cuts a pattern into tokens (STIX 2.1 section 9); the last one is `end`. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    at += lengthAt(SPACE, text, at);
    if (at >= text.length) break;
    const token = text[at] === STRING_START ? stringAt(text, at) : tokenAt(text, at);
    tokens.push(token);
    at += token.text.length;
  }
  return [...tokens, { kind: 'end', text: '', at: text.length }];
}

function lengthAt(form: RegExp, text: string, at: number): number {
  form.lastIndex = at;
  return form.exec(text)?.[0].length ?? 0;
}

function tokenAt(text: string, at: number): Token {
  const word = text.slice(at, at + lengthAt(NAME, text, at));
  const hasPrefix = word !== '' && text[at + word.length] === STRING_START;
  if (word !== '' && !hasPrefix) return { kind: kindOfWord(word), text: word, at };
  for (const [kind, form] of FORMS) {
    const length = lengthAt(form, text, at);
    if (length > 0) return { kind, text: text.slice(at, at + length), at };
  }
  if (hasPrefix) throw new PatternError(`${word.slice(0, 40)}'...' is not a literal of the grammar`, at);
  throw new PatternError(`${JSON.stringify(text[at])} is not part of a pattern`, at);
}

function kindOfWord(word: string): TokenKind {
  if (KEYWORDS.has(word)) return 'keyword';
  if (word === 'true' || word === 'false') return 'bool';
  return word.includes('-') ? 'hyphen-name' : 'name';
}

/** Reads a string literal in a loop, because a regular expression may exhaust the stack on a literal of a megabyte. */
function stringAt(text: string, start: number): Token {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === STRING_START) return { kind: 'string', text: text.slice(start, at + 1), at: start };
    if (text[at] !== '\\') continue;
    at += 1;
    if (text[at] !== '\\' && text[at] !== STRING_START)
      throw new PatternError('A backslash escapes only a quote or a backslash', at);
  }
  throw new PatternError('A string is not closed', start);
}

/** Removes the quotes and escapes of a string literal. */
export const unquoted = (literal: string): string => literal.slice(1, -1).replaceAll(/\\(['\\])/g, '$1');
