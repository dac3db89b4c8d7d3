import { PatternError, type Token, type TokenKind, tokensOf, unquoted } from './pattern-tokens.ts';

export type Comparison = {
  readonly objectType: string;
  /** The property path after the colon, in steps; an index is a step such as `[0]` or `[*]`. */
  readonly path: readonly string[];
  readonly operator: string;
  readonly negated: boolean;
  /** The compared values: string literals without quotes and escapes, other literals as written. */
  readonly values: readonly string[];
};

export type PatternReading =
  | { readonly ok: true; readonly comparisons: readonly Comparison[] }
  | { readonly ok: false; readonly reason: string };

const LENGTH_MAX = 1_000_000;
/** Deeper nesting is refused, so that a hostile pattern cannot exhaust the stack. */
const DEPTH_MAX = 200;
const LITERALS: readonly TokenKind[] = ['int', 'float', 'string', 'binary', 'hex', 'timestamp'];
const EQUALITY = new Set(['=', '==', '!=', '<>']);
const STRING_TESTS = new Set(['LIKE', 'MATCHES', 'ISSUBSET', 'ISSUPERSET']);

/** Reads a pattern by the grammar of STIX 2.1 section 9 and lists its comparisons. Never throws. */
export function readPattern(text: string): PatternReading {
  if (text.length > LENGTH_MAX) return { ok: false, reason: `longer than ${LENGTH_MAX} characters` };
  try {
    const reader = new Reader(tokensOf(text));
    reader.observations(0);
    reader.take('end');
    return { ok: true, comparisons: reader.comparisons };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return { ok: false, reason: error.message };
  }
}

class Reader {
  readonly comparisons: Comparison[] = [];
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get #next(): Token {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Error('The reader passed the end.');
    return token;
  }

  #is(kind: TokenKind, text?: string): boolean {
    return this.#next.kind === kind && (text === undefined || this.#next.text === text);
  }

  #skip(kind: TokenKind, text: string): boolean {
    if (!this.#is(kind, text)) return false;
    this.#at += 1;
    return true;
  }

  take(kind: TokenKind, text?: string): Token {
    const token = this.#next;
    if (!this.#is(kind, text)) {
      const found = token.kind === 'end' ? 'the end' : `'${token.text.slice(0, 40)}'`;
      throw new PatternError(`${found} stands where ${text ?? kind} is wanted`, token.at);
    }
    this.#at += 1;
    return token;
  }

  #deeper(depth: number): number {
    if (depth >= DEPTH_MAX) throw new PatternError(`nested deeper than ${DEPTH_MAX}`, this.#next.at);
    return depth + 1;
  }

  /** FOLLOWEDBY binds weakest, then OR, then AND; the parser ignores this, as it changes no pattern's validity. */
  observations(depth: number): void {
    do this.#observation(this.#deeper(depth));
    while (['FOLLOWEDBY', 'OR', 'AND'].some((word) => this.#skip('keyword', word)));
  }

  #observation(depth: number): void {
    if (this.#skip('mark', '(')) {
      this.observations(depth);
      this.take('mark', ')');
    } else {
      this.take('mark', '[');
      this.#comparison(depth);
      this.take('mark', ']');
    }
    this.#qualifiers();
  }

  #qualifiers(): void {
    const seen = new Set<string>();
    while (this.#is('keyword')) {
      const { text, at } = this.#next;
      if (text !== 'START' && text !== 'WITHIN' && text !== 'REPEATS') return;
      if (seen.has(text)) throw new PatternError(`${text} qualifies the same observation twice`, at);
      seen.add(text);
      this.#at += 1;
      if (text === 'START') this.#startStop();
      if (text === 'WITHIN') {
        this.#positive(['int', 'float']);
        this.take('keyword', 'SECONDS');
      }
      if (text === 'REPEATS') {
        this.#positive(['int']);
        this.take('keyword', 'TIMES');
      }
    }
  }

  #startStop(): void {
    const start = this.take('timestamp');
    this.take('keyword', 'STOP');
    const stop = this.take('timestamp');
    if (Date.parse(stop.text.slice(2, -1)) <= Date.parse(start.text.slice(2, -1)))
      throw new PatternError('STOP is not later than START', stop.at);
  }

  #positive(kinds: readonly TokenKind[]): void {
    const token = this.#next;
    if (!kinds.includes(token.kind) || !(Number(token.text) > 0))
      throw new PatternError(`'${token.text}' stands where a number above 0 is wanted`, token.at);
    this.#at += 1;
  }

  #comparison(depth: number): void {
    do this.#test(this.#deeper(depth));
    while (this.#skip('keyword', 'AND') || this.#skip('keyword', 'OR'));
  }

  #test(depth: number): void {
    if (this.#skip('mark', '(')) {
      this.#comparison(depth);
      this.take('mark', ')');
      return;
    }
    const notBefore = this.#skip('keyword', 'NOT');
    if (notBefore || this.#is('keyword', 'EXISTS')) {
      this.take('keyword', 'EXISTS');
      this.comparisons.push({ ...this.#path(), operator: 'EXISTS', negated: notBefore, values: [] });
      return;
    }
    const subject = this.#path();
    const negated = this.#skip('keyword', 'NOT');
    const operator = this.#next;
    this.#at += 1;
    this.comparisons.push({ ...subject, operator: operator.text, negated, values: this.#operand(operator) });
  }

  #operand(operator: Token): readonly string[] {
    if (operator.kind === 'operator') return [this.#literal(EQUALITY.has(operator.text))];
    if (operator.kind === 'keyword' && STRING_TESTS.has(operator.text))
      return [unquoted(this.take('string').text)];
    if (operator.kind === 'keyword' && operator.text === 'IN') return this.#set();
    throw new PatternError(`'${operator.text.slice(0, 40)}' stands where an operator is wanted`, operator.at);
  }

  #set(): readonly string[] {
    const values: string[] = [];
    this.take('mark', '(');
    if (this.#skip('mark', ')')) return values;
    do values.push(this.#literal(true));
    while (this.#skip('mark', ','));
    this.take('mark', ')');
    return values;
  }

  #literal(mayBeBool: boolean): string {
    const { kind, text, at } = this.#next;
    if (!LITERALS.includes(kind) && !(mayBeBool && kind === 'bool'))
      throw new PatternError(`'${text.slice(0, 40)}' stands where a literal is wanted`, at);
    this.#at += 1;
    return kind === 'string' ? unquoted(text) : text;
  }

  #path(): { objectType: string; path: readonly string[] } {
    const objectType = this.#is('hyphen-name') ? this.take('hyphen-name') : this.take('name');
    this.take('mark', ':');
    const path = [this.#step()];
    for (;;) {
      if (this.#skip('mark', '.')) path.push(this.#step());
      else if (this.#skip('mark', '[')) {
        const index = this.#skip('mark', '*') ? '*' : this.take('int').text;
        this.take('mark', ']');
        path.push(`[${index}]`);
      } else return { objectType: objectType.text, path };
    }
  }

  #step(): string {
    return this.#is('string') ? unquoted(this.take('string').text) : this.take('name').text;
  }
}
