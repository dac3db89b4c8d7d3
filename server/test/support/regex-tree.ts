/** Tells whether one character matches an atom of the expression, by asking the engine itself. */
export type Atom = (char: string) => boolean;

/** A regular expression as a tree. Groups are kept only where a back reference may ask for them. */
export type RegexNode =
  | { readonly kind: 'atom'; readonly has: Atom }
  | { readonly kind: 'seq'; readonly items: readonly RegexNode[] }
  | { readonly kind: 'alt'; readonly options: readonly RegexNode[] }
  | {
      readonly kind: 'repeat';
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
      readonly body: RegexNode;
    }
  | {
      readonly kind: 'look';
      readonly isBehind: boolean;
      readonly isNegated: boolean;
      readonly body: RegexNode;
    }
  | { readonly kind: 'assert'; readonly what: '^' | '$' | 'b' | 'B' }
  | { readonly kind: 'group'; readonly index: number; readonly body: RegexNode }
  | { readonly kind: 'back'; readonly index: number };

export type RegexTree = { readonly root: RegexNode; readonly isMultiline: boolean };

/** Parses what the engine has accepted already, so there is no error handling beyond unknown syntax. */
export function parseRegex({ source, flags }: { source: string; flags: string }): RegexTree {
  return { root: new Parser(source, flags).alternatives(), isMultiline: flags.includes('m') };
}

const ESCAPE = /^\\(?:x[\da-fA-F]{2}|u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|[pP]\{[^}]*\}|c[A-Za-z]|[\s\S])/;
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})(\??)/;
const GROUP_START = /^\((?:\?(?::|<?[=!]|<[A-Za-z_]\w*>|[ims]*(?:-[ims]+)?:))?/;

class Parser {
  readonly #source: string;
  readonly #atomFlags: string;
  readonly #atoms = new Map<string, Atom>();
  readonly #names: string[] = [];
  #at = 0;
  #groups = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#atomFlags = flags.replace(/[gymd]/g, '');
  }

  alternatives(): RegexNode {
    const options = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at += 1;
      options.push(this.#sequence());
    }
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'alt', options };
  }

  #sequence(): RegexNode {
    const items: RegexNode[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at)))
      items.push(this.#quantified(this.#single()));
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { kind: 'seq', items };
  }

  #quantified(body: RegexNode): RegexNode {
    const found = QUANTIFIER.exec(this.#source.slice(this.#at));
    if (found === null) return body;
    this.#at += found[0].length;
    const [text, low, comma, high, lazy] = found;
    const isLazy = lazy === '?';
    if (low === undefined) {
      const sign = text.charAt(0);
      return {
        kind: 'repeat',
        min: sign === '+' ? 1 : 0,
        max: sign === '?' ? 1 : Number.POSITIVE_INFINITY,
        isLazy,
        body,
      };
    }
    const max = comma === '' ? Number(low) : high === '' ? Number.POSITIVE_INFINITY : Number(high);
    return { kind: 'repeat', min: Number(low), max, isLazy, body };
  }

  #single(): RegexNode {
    const char = this.#source.charAt(this.#at);
    if (char === '(') return this.#group();
    if (char === '^' || char === '$') {
      this.#at += 1;
      return { kind: 'assert', what: char };
    }
    if (char === '\\') return this.#escape();
    if (char === '[') return this.#atom(this.#endOfClass());
    const isWide = this.#atomFlags.includes('u') || this.#atomFlags.includes('v');
    const code = this.#source.codePointAt(this.#at) ?? 0;
    return this.#atom(this.#at + (isWide && code > 0xffff ? 2 : 1));
  }

  #escape(): RegexNode {
    const rest = this.#source.slice(this.#at);
    const named = /^\\(?:([1-9])|k<(\w+)>)/.exec(rest);
    if (named !== null) {
      this.#at += named[0].length;
      return { kind: 'back', index: Number(named[1] ?? this.#names.indexOf(named[2] ?? '')) };
    }
    if (/^\\[bB]/.test(rest)) {
      this.#at += 2;
      return { kind: 'assert', what: rest[1] === 'b' ? 'b' : 'B' };
    }
    return this.#atom(this.#at + (ESCAPE.exec(rest)?.[0].length ?? 2));
  }

  #group(): RegexNode {
    const start = GROUP_START.exec(this.#source.slice(this.#at))?.[0] ?? '(';
    this.#at += start.length;
    const isCapture = start === '(' || /^\(\?<\w/.test(start);
    if (isCapture) this.#groups += 1;
    const index = this.#groups;
    if (isCapture) this.#names[index] = start.slice(3, -1);
    if (/^\(\?[ims-]+:/.test(start)) throw new Error(`Flags inside an expression: ${this.#source}`);
    const body = this.alternatives();
    this.#at += 1;
    if (isCapture) return { kind: 'group', index, body };
    if (start === '(?:') return body;
    return { kind: 'look', isBehind: start[2] === '<', isNegated: start.endsWith('!'), body };
  }

  #endOfClass(): number {
    let at = this.#at + 1;
    for (let depth = 1; at < this.#source.length; at += 1) {
      const char = this.#source[at];
      if (char === '\\') at += 1;
      else if (char === '[' && this.#atomFlags.includes('v')) depth += 1;
      else if (char === ']') depth -= 1;
      if (depth === 0) break;
    }
    return at + 1;
  }

  #atom(end: number): RegexNode {
    const text = this.#source.slice(this.#at, end);
    this.#at = end;
    const kept = this.#atoms.get(text);
    if (kept !== undefined) return { kind: 'atom', has: kept };
    const whole = new RegExp(`^(?:${text})$`, this.#atomFlags);
    const known = new Map<string, boolean>();
    const has = (char: string): boolean => {
      const before = known.get(char);
      if (before !== undefined) return before;
      const answer = whole.test(char);
      known.set(char, answer);
      return answer;
    };
    this.#atoms.set(text, has);
    return { kind: 'atom', has };
  }
}
