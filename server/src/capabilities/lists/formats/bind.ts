import type { FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { isLocalName, withoutWildcard } from './listed-name.ts';
import { REJECTED, UNSUPPORTED } from './not-listed.ts';
import { statementLines } from './statement-lines.ts';

type BindSpec = Extract<FormatSpec, { kind: 'bind' }>;

/** `zone "name" in {` has four words; a statement with more words than this lists nothing. */
const WORDS_MAX = 8;
const EXAMPLE_CHARS = 200;
const TOKEN = /"[^"]*"?|\/\/.*|#.*|\/\*|\*\/|[{};]|[^\s{};"#/*]+|[/*]/g;
const COMMENT = /^(?:#|\/\/)/;

/** `zone "name" { ... };` statements of named.conf, on one line or several. The zones are blocked names. */
export function bindConf(sink: Sink, _spec: BindSpec): FormatParser {
  const statements = new Statements(sink);
  return statementLines(
    sink,
    (text) => !statements.isInside && COMMENT.test(text),
    (text) => statements.line(text),
    () => statements.end(),
  );
}

class Statements {
  #depth = 0;
  #isComment = false;
  #words: string[] = [];
  readonly #sink: Sink;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  get isInside(): boolean {
    return this.#isComment || this.#depth > 0 || this.#words.length > 0;
  }

  line(text: string): void {
    for (const [token] of text.matchAll(TOKEN)) {
      if (token === '/*') this.#isComment = true;
      else if (token === '*/') this.#isComment = false;
      else if (this.#isComment) continue;
      else if (COMMENT.test(token)) return;
      else this.#token(token);
    }
  }

  end(): void {
    if (this.#words.length > 0) this.#finish();
  }

  #token(token: string): void {
    if (token === '{') this.#depth += 1;
    else if (token === '}') this.#depth = Math.max(0, this.#depth - 1);
    else if (this.#depth > 0) return;
    else if (token === ';') this.#finish();
    else if (this.#words.length < WORDS_MAX) this.#words.push(token);
  }

  #finish(): void {
    const [keyword = '', quoted = ''] = this.#words;
    const statement = this.#words.join(' ').slice(0, EXAMPLE_CHARS);
    this.#words = [];
    if (keyword === '') return;
    if (keyword.toLowerCase() !== 'zone') {
      if (/^[a-z-]+$/i.test(keyword)) this.#sink.unsupported(UNSUPPORTED.directive, statement);
      else this.#sink.rejected(REJECTED.noStatement, statement);
      return;
    }
    const name = quoted.replace(/^"|"$/g, '');
    if (name === '') this.#sink.rejected(REJECTED.noStatement, statement);
    else if (name === '.') this.#sink.unsupported(UNSUPPORTED.directive, statement);
    else if (isLocalName(name)) this.#sink.unsupported(UNSUPPORTED.localName, statement);
    else this.#sink.entry({ text: withoutWildcard(name) });
  }
}
