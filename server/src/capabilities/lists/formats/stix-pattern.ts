import type { EntryKind } from './format.ts';

/** A value that a pattern names. Values with the same `group` describe one file (same observation, joined by AND). */
export type PatternValue = {
  readonly text: string;
  readonly kind: EntryKind;
  readonly isDigest: boolean;
  readonly group: number;
};
export type PatternReading = {
  readonly values: readonly PatternValue[];
  /** Comparisons that are understood but are not listings: other properties, other operators, negation. */
  readonly unsupported: readonly string[];
  readonly isBroken: boolean;
};

const PATTERN_CHARS_MAX = 65_536;
const VALUES_MAX = 1_000;
const SPACE = /\s/;
const WORD = /[A-Za-z0-9_:.\-*[\]+]/;
const LISTABLE: ReadonlyMap<string, EntryKind> = new Map(
  Object.entries({
    'ipv4-addr:value': 'any',
    'ipv6-addr:value': 'any',
    'domain-name:value': 'any',
    'url:value': 'any',
    'email-addr:value': 'any',
    'email-message:from_ref.value': 'any',
    'email-message:sender_ref.value': 'any',
    'network-traffic:dst_ref.value': 'any',
    'network-traffic:src_ref.value': 'any',
    'autonomous-system:number': 'asn',
  } as const),
);
const DIGEST = /^(?:file|artifact):hashes\.(?:md5|sha-?1|sha-?256)$/;

type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'sign'; readonly text: string };

/**
 * The values that a STIX pattern compares with, found in linear time without building a tree. Equality, IN, LIKE
 * without wildcards, and ISSUBSET of an address (a range) name a value; everything else is unsupported. AND between
 * different things names each of them: a publisher that lists an address with its port lists the address.
 */
export function readStixPattern(pattern: string): PatternReading {
  if (pattern.length > PATTERN_CHARS_MAX) return { values: [], unsupported: [], isBroken: true };
  const tokens = tokensOf(pattern);
  if (tokens === null) return { values: [], unsupported: [], isBroken: true };
  const reading = new PatternReader(tokens);
  return reading.read();
}

class PatternReader {
  readonly #tokens: readonly Token[];
  readonly #values: PatternValue[] = [];
  readonly #unsupported: string[] = [];
  #at = 0;
  #group = 0;
  #isBroken = false;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  read(): PatternReading {
    let isInside = false;
    while (this.#at < this.#tokens.length && !this.#isBroken) {
      const token = this.#tokens[this.#at];
      if (token?.kind === 'sign' && token.text === '[') {
        this.#isBroken = isInside;
        isInside = true;
        this.#group += 1;
        this.#at += 1;
      } else if (token?.kind === 'sign' && token.text === ']') {
        this.#isBroken = !isInside;
        isInside = false;
        this.#at += 1;
      } else if (isInside) this.#readInside(token);
      else this.#at += 1; // AND, OR, FOLLOWEDBY, parentheses and the qualifiers with their numbers and times.
    }
    const isBroken = this.#isBroken || isInside || this.#group === 0;
    return { values: this.#values, unsupported: this.#unsupported, isBroken };
  }

  #readInside(token: Token | undefined): void {
    if (token?.kind === 'sign' && (token.text === '(' || token.text === ')')) this.#at += 1;
    else if (token?.kind !== 'word') this.#isBroken = true;
    else if (isWord(token, 'AND')) this.#at += 1;
    else if (isWord(token, 'OR')) {
      // Alternatives are different things: the comparison after OR describes another file.
      this.#group += 1;
      this.#at += 1;
    } else if (isWord(token, 'EXISTS')) {
      this.#unsupported.push(`EXISTS ${this.#tokens[this.#at + 1]?.text ?? ''}`);
      this.#at += 2;
    } else this.#readComparison();
  }

  #readComparison(): void {
    const path = this.#readPath();
    let operator = this.#next();
    const isNegated = operator !== undefined && isWord(operator, 'NOT');
    if (isNegated) operator = this.#next();
    const values = this.#readOperands();
    if (operator === undefined || operator.kind === 'text' || values === null || !path.includes(':')) {
      this.#isBroken = true;
      return;
    }
    const name = operator.text.toUpperCase();
    for (const text of values) this.#take(path, isNegated ? `NOT ${name}` : name, text);
  }

  /** `file:hashes.'SHA-256'`: quoted parts belong to the path. */
  #readPath(): string {
    let path = this.#next()?.text ?? '';
    for (;;) {
      const token = this.#tokens[this.#at];
      const isPart =
        token?.kind === 'text' ? path.endsWith('.') : token?.kind === 'word' && token.text.startsWith('.');
      if (token === undefined || !isPart) return path.toLowerCase();
      path += token.text;
      this.#at += 1;
    }
  }

  #readOperands(): readonly string[] | null {
    const first = this.#next();
    if (first === undefined) return null;
    if (first.kind !== 'sign') return [this.#literal(first)];
    if (first.text !== '(') return null;
    const values: string[] = [];
    for (;;) {
      const token = this.#next();
      if (token === undefined) return null;
      if (token.kind === 'sign') {
        if (token.text === ')') return values;
        if (token.text !== ',') return null;
      } else values.push(this.#literal(token));
    }
  }

  /** `t'2024-01-01T00:00:00Z'`, `h'ff'` and `b'...'` are a word and a text. */
  #literal(token: Token): string {
    const next = this.#tokens[this.#at];
    if (token.kind === 'word' && /^[tbh]$/.test(token.text) && next?.kind === 'text') {
      this.#at += 1;
      return next.text;
    }
    return token.text;
  }

  #take(path: string, operator: string, text: string): void {
    if (this.#values.length + this.#unsupported.length >= VALUES_MAX) return;
    const isDigest = DIGEST.test(path);
    const kind = isDigest ? 'any' : LISTABLE.get(path);
    const isExact =
      operator === '=' ||
      operator === 'IN' ||
      operator === '==' ||
      (operator === 'LIKE' && !/[%_]/.test(text)) ||
      (operator === 'ISSUBSET' && /^ipv[46]-addr:value$/.test(path));
    if (kind === undefined || !isExact) this.#unsupported.push(`${path} ${operator} ${text}`);
    else this.#values.push({ text, kind, isDigest, group: this.#group });
  }

  #next(): Token | undefined {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    return token;
  }
}

const isWord = (token: Token, word: string): boolean =>
  token.kind === 'word' && token.text.toUpperCase() === word;

/** Null when a quote is never closed or a character belongs to no token. */
function tokensOf(pattern: string): readonly Token[] | null {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; ) {
    const char = pattern.charAt(at);
    if (SPACE.test(char)) at += 1;
    else if (char === "'") {
      const found = readQuoted(pattern, at + 1);
      if (found === null) return null;
      tokens.push({ kind: 'text', text: found.text });
      at = found.next;
    } else if ('[](),'.includes(char)) {
      tokens.push({ kind: 'sign', text: char });
      at += 1;
    } else {
      const end = endOfWord(pattern, at);
      if (end === at) return null;
      tokens.push({ kind: 'word', text: pattern.slice(at, end) });
      at = end;
    }
  }
  return tokens;
}

/** A path, a keyword, a number, or an operator made of signs. An index (`[*]`, `[0]`) is part of a path. */
function endOfWord(pattern: string, from: number): number {
  let at = from;
  if (/[=<>!]/.test(pattern.charAt(at))) {
    while (/[=<>!]/.test(pattern.charAt(at))) at += 1;
    return at;
  }
  while (at < pattern.length) {
    const char = pattern.charAt(at);
    if (char === ']') return at;
    if (char === '[') {
      const index = /^\[(?:\*|\d{1,4})\]/.exec(pattern.slice(at, at + 6));
      if (index === null) return at;
      at += index[0].length;
    } else if (WORD.test(char)) at += 1;
    else return at;
  }
  return at;
}

/** In a STIX string a backslash escapes a quote or a backslash. */
function readQuoted(pattern: string, from: number): { readonly text: string; readonly next: number } | null {
  let text = '';
  for (let at = from; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    if (char === "'") return { text, next: at + 1 };
    if (char === '\\') {
      at += 1;
      text += pattern.charAt(at);
    } else text += char;
  }
  return null;
}
