import { parseRegex, type RegexNode, type RegexTree } from './regex-tree.ts';

/** Thrown when an expression needs more steps than were allowed. */
export class TooManySteps extends Error {}

type Next = (at: number) => boolean;
type Match = (at: number, next: Next) => boolean;

/**
 * Counts the steps of a backtracking search for every match in a text, as `replaceAll` or `split` would make them. V8's
 * engine backtracks in the same order. Steps are counted instead of time, because the landing lane runs on busy machines.
 */
export function stepCounter(expression: RegExp): (text: string, stepsMax: number) => number {
  const tree = parseRegex(expression);
  const run = new Search(tree);
  return (text, stepsMax) => run.steps(text, stepsMax);
}

class Search {
  readonly #match: Match;
  readonly #isMultiline: boolean;
  readonly #groups: string[] = [];
  #text = '';
  #steps = 0;
  #stepsMax = 0;

  constructor({ root, isMultiline }: RegexTree) {
    this.#isMultiline = isMultiline;
    this.#match = this.#compile(root, 1);
  }

  steps(text: string, stepsMax: number): number {
    this.#text = text;
    this.#steps = 0;
    this.#stepsMax = stepsMax;
    let end = 0;
    const found: Next = (at) => {
      end = at;
      return true;
    };
    for (let at = 0; at <= text.length; ) at = this.#match(at, found) && end > at ? end : at + 1;
    return this.#steps;
  }

  #step(): void {
    this.#steps += 1;
    if (this.#steps > this.#stepsMax) throw new TooManySteps();
  }

  /** `way` is 1 forwards, and -1 inside a lookbehind, which the language matches backwards. */
  #compile(node: RegexNode, way: 1 | -1): Match {
    switch (node.kind) {
      case 'atom':
        return (at, next) => this.#take(node.has, at, way) && next(at + way);
      case 'seq':
        return this.#sequence(way === 1 ? node.items : node.items.toReversed(), way);
      case 'alt': {
        const options = node.options.map((option) => this.#compile(option, way));
        return (at, next) => options.some((option) => option(at, next));
      }
      case 'repeat':
        return this.#repeat(node, way);
      case 'look': {
        const body = this.#compile(node.body, node.isBehind ? -1 : 1);
        return (at, next) => body(at, () => true) !== node.isNegated && next(at);
      }
      case 'assert':
        return (at, next) => {
          this.#step();
          return this.#holds(node.what, at) && next(at);
        };
      case 'group': {
        const body = this.#compile(node.body, way);
        return (at, next) =>
          body(at, (end) => {
            this.#groups[node.index] = this.#text.slice(Math.min(at, end), Math.max(at, end));
            return next(end);
          });
      }
      case 'back':
        return (at, next) => {
          this.#step();
          const text = this.#groups[node.index] ?? '';
          return this.#text.startsWith(text, at) && next(at + text.length);
        };
    }
  }

  #take(has: (char: string) => boolean, at: number, way: 1 | -1): boolean {
    this.#step();
    const char = this.#text[way === 1 ? at : at - 1];
    return char !== undefined && has(char);
  }

  #sequence(items: readonly RegexNode[], way: 1 | -1): Match {
    return items
      .map((item) => this.#compile(item, way))
      .reduceRight<Match>(
        (rest, item) => (at, next) => item(at, (then) => rest(then, next)),
        (at, next) => next(at),
      );
  }

  #repeat({ min, max, isLazy, body }: Extract<RegexNode, { kind: 'repeat' }>, way: 1 | -1): Match {
    if (body.kind === 'atom' && !isLazy) return this.#greedyAtom(body.has, min, max, way);
    const once = this.#compile(body, way);
    const more = (at: number, count: number, next: Next): boolean =>
      count < max && once(at, (then) => (then !== at || count < min) && turn(then, count + 1, next));
    const turn = (at: number, count: number, next: Next): boolean => {
      if (count < min) return more(at, count, next);
      return isLazy ? next(at) || more(at, count, next) : more(at, count, next) || next(at);
    };
    return (at, next) => turn(at, 0, next);
  }

  /** A loop in place of recursion, so that long texts fit on the stack. */
  #greedyAtom(has: (char: string) => boolean, min: number, max: number, way: 1 | -1): Match {
    return (at, next) => {
      let count = 0;
      while (count < max && this.#take(has, at + way * count, way)) count += 1;
      for (; count >= min; count -= 1) {
        this.#step();
        if (next(at + way * count)) return true;
      }
      return false;
    };
  }

  #holds(what: '^' | '$' | 'b' | 'B', at: number): boolean {
    if (what === '^') return at === 0 || (this.#isMultiline && this.#text[at - 1] === '\n');
    if (what === '$') return at === this.#text.length || (this.#isMultiline && this.#text[at] === '\n');
    const isEdge = /\w/.test(this.#text[at - 1] ?? ' ') !== /\w/.test(this.#text[at] ?? ' ');
    return isEdge === (what === 'b');
  }
}
