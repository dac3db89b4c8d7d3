/** A file as the rules see it: its path relative to the server folder, and its text. */
export type SourceFile = { readonly path: string; readonly text: string };

export type Scan = {
  /** The code: comments and the content of literals are blanked, offsets stay the same. */
  readonly code: string;
  /** Plain strings and the fixed parts of templates, with the offset of their first character. */
  readonly literals: readonly Excerpt[];
  readonly comments: readonly Excerpt[];
  /** Regular expressions with their slashes and flags. */
  readonly expressions: readonly Excerpt[];
};

export type Excerpt = { readonly at: number; readonly text: string };

/** After one of these a slash starts a regular expression, not a division. */
const BEFORE_REGEX =
  /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|void|delete|throw|await|yield))\s*$/;

/**
 * Separates code from comments, strings, templates and regular expressions. Written by hand, because
 * TypeScript 7 has no compiler API, and a search in the raw text would match comments.
 */
export function scanSource(text: string): Scan {
  const code: string[] = [];
  const literals: Excerpt[] = [];
  const comments: Excerpt[] = [];
  const expressions: Excerpt[] = [];
  /** Depth of braces inside each open template expression. */
  const templates: number[] = [];
  let i = 0;
  const keep = (to: number) => {
    code.push(text.slice(i, to));
    i = to;
  };
  const blank = (to: number) => {
    code.push(text.slice(i, to).replace(/[^\n]/g, ' '));
    i = to;
  };
  const literal = (to: number) => {
    literals.push({ at: i, text: text.slice(i, to) });
    blank(to);
  };
  const comment = (to: number) => {
    comments.push({ at: i, text: text.slice(i, to) });
    blank(to);
  };
  const expression = (to: number) => {
    expressions.push({ at: i, text: text.slice(i, to) });
    blank(to);
  };
  const template = () => {
    const end = endOfTemplatePart(text, i);
    literal(end);
    if (text.startsWith('${', end)) {
      templates.push(0);
      keep(end + 2);
    } else keep(end + 1);
  };
  while (i < text.length) {
    const char = text.charAt(i);
    const depth = templates.at(-1);
    if (text.startsWith('//', i)) comment(endOfLine(text, i));
    else if (text.startsWith('/*', i)) comment(endAfter(text, '*/', i + 2));
    else if (char === "'" || char === '"') {
      keep(i + 1);
      literal(endOfString(text, i, char));
      keep(Math.min(i + 1, text.length));
    } else if (char === '`') {
      keep(i + 1);
      template();
    } else if (char === '/' && BEFORE_REGEX.test(lastOf(code))) expression(endOfRegex(text, i + 1));
    else if (char === '}' && depth === 0) {
      templates.pop();
      keep(i + 1);
      template();
    } else {
      if (depth !== undefined && char === '{') templates[templates.length - 1] = depth + 1;
      if (depth !== undefined && char === '}') templates[templates.length - 1] = depth - 1;
      keep(i + 1);
    }
  }
  return { code: code.join(''), literals, comments, expressions };
}

/** The last 200 characters of the code; its last 400 pieces hold them, empty literals included. */
const lastOf = (code: readonly string[]): string => code.slice(-400).join('').slice(-200);

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};

const endAfter = (text: string, mark: string, from: number): number => {
  const end = text.indexOf(mark, from);
  return end < 0 ? text.length : end + mark.length;
};

function endOfString(text: string, from: number, quote: string): number {
  let i = from;
  while (i < text.length && text[i] !== quote && text[i] !== '\n') i += text[i] === '\\' ? 2 : 1;
  return Math.min(i, text.length);
}

function endOfTemplatePart(text: string, from: number): number {
  let i = from;
  while (i < text.length && text[i] !== '`' && !text.startsWith('${', i)) i += text[i] === '\\' ? 2 : 1;
  return Math.min(i, text.length);
}

function endOfRegex(text: string, from: number): number {
  let inClass = false;
  let i = from;
  for (; i < text.length && text[i] !== '\n'; i++) {
    const char = text[i];
    if (char === '\\') i += 1;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) break;
  }
  i += 1;
  while (i < text.length && /[a-z]/.test(text.charAt(i))) i += 1;
  return Math.min(i, text.length);
}

export type ImportEdge = {
  readonly specifier: string;
  /** Erased before the program runs: it counts for layers, but cannot close a cycle at load time. */
  readonly isTypeOnly: boolean;
};

const STATIC_IMPORT = /\b(?:import|export)\b(\s+type\b(?!\s*(?:,|from\b)))?[^'"`;()]*?\bfrom\s*['"]$/;
const BARE_IMPORT = /(?:^|[;}\n])\s*import\s*['"]$/;
const DYNAMIC_IMPORT = /\bimport\s*\(\s*['"`]$/;
/**
 * `new URL('./child.ts', import.meta.url)` starts another process on that file, so it counts as an import.
 */
const FILE_URL = /\bnew\s+URL\s*\(\s*['"`]$/;

export function importsOf({ code, literals }: Scan): readonly ImportEdge[] {
  return literals.flatMap(({ at, text }) => {
    // 4,000 characters before the specifier hold an import list of a few dozen names.
    const before = code.slice(Math.max(0, at - 4_000), at);
    const isLocalFile = FILE_URL.test(before) && /^\.{1,2}\/.*\.ts$/.test(text);
    const named = STATIC_IMPORT.exec(before);
    if (named === null && !isLocalFile && !DYNAMIC_IMPORT.test(before) && !BARE_IMPORT.test(before))
      return [];
    return [{ specifier: text, isTypeOnly: named?.[1] !== undefined }];
  });
}
