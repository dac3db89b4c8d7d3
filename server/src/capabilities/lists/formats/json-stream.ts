/** The tokens of a JSON text in order. A string that was cut is reported as `tooLong`. */
export type JsonEvents = {
  readonly openObject: () => void;
  readonly openArray: () => void;
  readonly close: () => void;
  readonly key: (name: string) => void;
  readonly scalar: (value: string | number | boolean | null) => void;
  readonly tooLong: (start: string) => void;
  /** Called once; the rest of the text is skipped, because the parser cannot tell where it is valid again. */
  readonly broken: (reason: string, example: string) => void;
};

export type JsonStream = {
  readonly write: (text: string) => void;
  /** Ends one text; another may follow. */
  readonly end: () => void;
};

/** No indicator or comment is longer; memory stays constant for strings of any length. */
export const JSON_STRING_CHARS_MAX = 65_536;
/** The deepest known format (MISP events with objects) has 9 levels. */
export const JSON_DEPTH_MAX = 64;

export const BROKEN_JSON = {
  cutOff: 'The JSON text ends in the middle.',
  syntax: 'The JSON text is broken here; what follows it was not read.',
  depth: `The JSON text is nested deeper than ${JSON_DEPTH_MAX} levels; what follows was not read.`,
} as const;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Longer than any meaningful number. */
const LITERAL_CHARS_MAX = 64;
const EXAMPLE_CHARS = 80;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const NOWHERE = Number.POSITIVE_INFINITY;

/** The tokens that may come next. A comma before a closing bracket is accepted, because generated lists have it. */
type Expected = 'value' | 'value-or-close' | 'key-or-close' | 'colon' | 'comma-or-close';
/** The token in which the last piece of text ended. */
type Inside = 'nothing' | 'string' | 'escape' | 'unicode' | 'literal' | 'broken';

/**
 * A JSON reader for text in pieces cut anywhere: constant memory, linear time, never throws. Several texts in a row are
 * read one after another. A byte-order mark counts as space.
 */
export function jsonStream(on: JsonEvents): JsonStream {
  const reader = new Reader(on);
  return { write: (text) => reader.write(text), end: () => reader.end() };
}

class Reader {
  readonly #on: JsonEvents;
  #expected: Expected = 'value';
  #inside: Inside = 'nothing';
  /** One character per level: `{` or `[`. */
  #nesting: string[] = [];
  #token = '';
  #reason: string | null = null;
  #isTooLong = false;
  #isKey = false;
  #hasEscape = false;
  #hex = '';
  /** Positions of the next backslash and quote in the current piece. */
  #backslash = -1;
  #quote = -1;

  constructor(on: JsonEvents) {
    this.#on = on;
  }

  write(text: string): void {
    this.#backslash = -1;
    this.#quote = -1;
    let at = 0;
    while (at < text.length) {
      switch (this.#inside) {
        case 'nothing':
          at = this.#readStructure(text, at);
          break;
        case 'string':
          at = this.#readString(text, at);
          break;
        case 'escape':
          at = this.#readEscape(text, at);
          break;
        case 'unicode':
          at = this.#readUnicode(text, at);
          break;
        case 'literal':
          at = this.#readLiteral(text, at);
          break;
        case 'broken':
          this.#collectExample(text, at);
          return;
      }
    }
  }

  end(): void {
    if (this.#inside === 'literal') this.#endLiteral();
    const isInString = this.#inside === 'string' || this.#inside === 'escape' || this.#inside === 'unicode';
    if (this.#inside === 'broken') {
      if (this.#reason !== null) this.#breakWith(this.#reason, this.#token);
    } else if (isInString || this.#nesting.length > 0) this.#breakWith(BROKEN_JSON.cutOff, this.#token);
    this.#expected = 'value';
    this.#inside = 'nothing';
    this.#nesting = [];
    this.#token = '';
  }

  #readStructure(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 32 || (code >= 9 && code <= 13) || code === 0xfeff) continue;
      if (code === QUOTE) {
        this.#startString();
        return this.#is('broken') ? at : at + 1;
      }
      if (!isPunctuation(code)) {
        this.#startLiteral();
        return at;
      }
      this.#punctuation(code);
      if (this.#is('broken')) return at;
    }
    return text.length;
  }

  /** A method, because TypeScript narrows the field and does not see that a call in between may change it. */
  #is(inside: Inside): boolean {
    return this.#inside === inside;
  }

  #punctuation(code: number): void {
    const expected = this.#expected;
    if (code === COMMA && expected === 'comma-or-close')
      this.#expected = this.#nesting.at(-1) === '{' ? 'key-or-close' : 'value-or-close';
    else if (code === COLON && expected === 'colon') this.#expected = 'value';
    else if ((code === OPEN_BRACE || code === OPEN_BRACKET) && this.#takesValue()) this.#open(code);
    else if (code === CLOSE_BRACE && this.#nesting.at(-1) === '{' && expected !== 'value') this.#close();
    else if (code === CLOSE_BRACKET && this.#nesting.at(-1) === '[') this.#close();
    else this.#break(BROKEN_JSON.syntax);
  }

  #open(code: number): void {
    if (this.#nesting.length >= JSON_DEPTH_MAX) {
      this.#break(BROKEN_JSON.depth);
      return;
    }
    const isObject = code === OPEN_BRACE;
    this.#nesting.push(isObject ? '{' : '[');
    this.#expected = isObject ? 'key-or-close' : 'value-or-close';
    if (isObject) this.#on.openObject();
    else this.#on.openArray();
  }

  #close(): void {
    this.#nesting.pop();
    this.#expected = this.#nesting.length === 0 ? 'value' : 'comma-or-close';
    this.#on.close();
  }

  #takesValue(): boolean {
    return this.#expected === 'value' || this.#expected === 'value-or-close';
  }

  #startString(): void {
    this.#isKey = this.#expected === 'key-or-close';
    if (!this.#isKey && !this.#takesValue()) {
      this.#break(BROKEN_JSON.syntax);
      return;
    }
    this.#inside = 'string';
    this.#token = '';
    this.#isTooLong = false;
    this.#hasEscape = false;
  }

  /** Reads up to the closing quote or the next backslash; the engine's own search finds both. */
  #readString(text: string, from: number): number {
    // Each position is searched once: a search per escape would make many escapes quadratic.
    if (this.#quote < from) this.#quote = placeOf('"', text, from);
    if (this.#backslash < from) this.#backslash = placeOf('\\', text, from);
    const stop = Math.min(this.#quote, this.#backslash, text.length);
    this.#append(text, from, stop);
    if (stop === this.#backslash) {
      this.#inside = 'escape';
      this.#hasEscape = true;
    } else if (stop === this.#quote) this.#endString();
    return stop + 1;
  }

  #append(text: string, from: number, to: number): void {
    if (from === to) return;
    const left = JSON_STRING_CHARS_MAX - this.#token.length;
    if (to - from > left) this.#isTooLong = true;
    const piece = text.slice(from, Math.min(to, from + left));
    this.#token = this.#token === '' ? piece : this.#token + piece;
  }

  #endString(): void {
    this.#inside = 'nothing';
    const text = this.#hasEscape ? this.#token.toWellFormed() : this.#token;
    this.#token = '';
    if (this.#isKey) {
      this.#expected = 'colon';
      this.#on.key(text);
    } else {
      this.#endValue();
      if (this.#isTooLong) this.#on.tooLong(text.slice(0, EXAMPLE_CHARS));
      else this.#on.scalar(text);
    }
  }

  #endValue(): void {
    this.#expected = this.#nesting.length === 0 ? 'value' : 'comma-or-close';
  }

  #readEscape(text: string, at: number): number {
    const char = text.charAt(at);
    if (char === 'u') {
      this.#inside = 'unicode';
      this.#hex = '';
      return at + 1;
    }
    const meant = ESCAPES[char];
    if (meant === undefined) {
      this.#break(BROKEN_JSON.syntax, '\\');
      return at;
    }
    this.#append(meant, 0, 1);
    this.#inside = 'string';
    return at + 1;
  }

  #readUnicode(text: string, at: number): number {
    const next = Math.min(text.length, at + 4 - this.#hex.length);
    this.#hex += text.slice(at, next);
    if (!/^[0-9a-fA-F]*$/.test(this.#hex)) {
      this.#break(BROKEN_JSON.syntax, `\\u${this.#hex}`);
      return next;
    }
    if (this.#hex.length < 4) return next;
    this.#append(String.fromCharCode(Number.parseInt(this.#hex, 16)), 0, 1);
    this.#inside = 'string';
    return next;
  }

  #startLiteral(): void {
    if (!this.#takesValue()) {
      this.#break(BROKEN_JSON.syntax);
      return;
    }
    this.#inside = 'literal';
    this.#token = '';
  }

  #readLiteral(text: string, from: number): number {
    let at = from;
    while (at < text.length && !endsLiteral(text.charCodeAt(at))) at += 1;
    this.#token += text.slice(from, Math.min(at, from + EXAMPLE_CHARS));
    if (this.#token.length > LITERAL_CHARS_MAX) {
      this.#token = this.#token.slice(0, LITERAL_CHARS_MAX);
      this.#breakWith(BROKEN_JSON.syntax, this.#token);
    }
    if (this.#is('literal') && at < text.length) this.#endLiteral();
    return at;
  }

  #endLiteral(): void {
    const text = this.#token;
    this.#inside = 'nothing';
    if (text === 'true' || text === 'false') {
      this.#endValue();
      this.#on.scalar(text === 'true');
    } else if (text === 'null') {
      this.#endValue();
      this.#on.scalar(null);
    } else if (NUMBER.test(text)) {
      this.#endValue();
      this.#on.scalar(Number(text));
    } else this.#breakWith(BROKEN_JSON.syntax, text);
  }

  /** The example is the following text, reported once it is long enough, so it is the same for any cut. */
  #break(reason: string, start = ''): void {
    this.#inside = 'broken';
    this.#reason = reason;
    this.#token = start;
  }

  #breakWith(reason: string, example: string): void {
    this.#inside = 'broken';
    this.#reason = null;
    this.#on.broken(reason, example.slice(0, EXAMPLE_CHARS));
  }

  #collectExample(text: string, at: number): void {
    if (this.#reason === null) return;
    this.#token += text.slice(at, at + EXAMPLE_CHARS);
    if (this.#token.length >= EXAMPLE_CHARS) this.#breakWith(this.#reason, this.#token);
  }
}

function placeOf(char: string, text: string, from: number): number {
  const found = text.indexOf(char, from);
  return found < 0 ? NOWHERE : found;
}

const isPunctuation = (code: number): boolean =>
  code === COMMA ||
  code === COLON ||
  code === OPEN_BRACKET ||
  code === CLOSE_BRACKET ||
  code === OPEN_BRACE ||
  code === CLOSE_BRACE;

const endsLiteral = (code: number): boolean =>
  code <= 32 || code === QUOTE || code === 0xfeff || isPunctuation(code);
