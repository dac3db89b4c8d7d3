/** A file as the rules see it: its path from the server folder, and its text. */
export type SourceFile = { readonly path: string; readonly text: string };

export type Scan = {
  /** The text with comments and the inside of literals blanked: what is left is code, at the same offsets. */
  readonly code: string;
  /** The literals: plain strings and the fixed parts of templates, with the offset of their first character. */
  readonly literals: readonly { readonly at: number; readonly text: string }[];
};

/** After one of these a slash starts a regular expression, not a division. */
const BEFORE_REGEX =
  /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|void|delete|throw|await|yield))\s*$/;

/**
 * Tells code from comments, strings, templates and regular expressions. By hand, because TypeScript 7 has no compiler
 * API, and a rule that greps the raw text believes comments.
 */
export function scanSource(text: string): Scan {
  const code: string[] = [];
  const literals: { at: number; text: string }[] = [];
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
    if (text.startsWith('//', i)) blank(endOfLine(text, i));
    else if (text.startsWith('/*', i)) blank(endAfter(text, '*/', i + 2));
    else if (char === "'" || char === '"') {
      keep(i + 1);
      literal(endOfString(text, i, char));
      keep(Math.min(i + 1, text.length));
    } else if (char === '`') {
      keep(i + 1);
      template();
    } else if (char === '/' && BEFORE_REGEX.test(code.join('').slice(-200))) blank(endOfRegex(text, i + 1));
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
  return { code: code.join(''), literals };
}

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
  return Math.min(i + 1, text.length);
}

export type ImportEdge = {
  readonly specifier: string;
  /** Erased before the program runs: it binds layers, but cannot close a cycle at load time. */
  readonly isTypeOnly: boolean;
};

const STATIC_IMPORT = /\b(?:import|export)\b(\s+type\b(?!\s*(?:,|from\b)))?[^'"`;()]*?\bfrom\s*['"]$/;
const BARE_IMPORT = /(?:^|[;}\n])\s*import\s*['"]$/;
const DYNAMIC_IMPORT = /\bimport\s*\(\s*['"`]$/;
/** `new URL('./child.ts', import.meta.url)` starts another process on that file: an import in all but name. */
const FILE_URL = /\bnew\s+URL\s*\(\s*['"`]$/;

/** Everything a file pulls in, whichever way it is written. */
export function importsOf({ code, literals }: Scan): readonly ImportEdge[] {
  return literals.flatMap(({ at, text }) => {
    // An import list is at most a few dozen names; 4,000 characters before the specifier hold it.
    const before = code.slice(Math.max(0, at - 4_000), at);
    const isLocalFile = FILE_URL.test(before) && /^\.{1,2}\/.*\.ts$/.test(text);
    const named = STATIC_IMPORT.exec(before);
    if (named === null && !isLocalFile && !DYNAMIC_IMPORT.test(before) && !BARE_IMPORT.test(before))
      return [];
    return [{ specifier: text, isTypeOnly: named?.[1] !== undefined }];
  });
}
