import { extname } from 'node:path';
import { type Excerpt, type SourceFile, scanSource } from './scan-source.ts';

/** `test('title'`, `describe.skipIf(x)('title'` and `test.each(table)('title'`: a literal that opens the arguments. */
const BEFORE_TITLE = /(?:\b(?:test|it|describe)(?:\.\w+)*|\))\s*\(\s*['"`]$/;

/**
 * The prose of a file: comments and test titles of code, the text of a page. Everything else is blanked, and
 * offsets stay the same. Marks at the beginning of comment lines are blanked too, so that a citation may
 * wrap.
 */
export function proseOf({ path, text }: SourceFile): string {
  switch (extname(path)) {
    case '.md':
      return blankOut(text, /\]\([^)\s]*\)|<a id="[^"]*"><\/a>/g);
    case '.ts':
    case '.tsx':
      return blankOut(keepOnly(text, excerptsOf(path, text)), /(?<=\n)[ \t]*(?:\*(?!\/)|\/\/)|\/\*\*?|\*\//g);
    case '.css':
      return blankOut(keepOnly(text, matchesOf(text, /\/\*[\s\S]*?\*\//g)), /\/\*|\*\//g);
    case '.sql':
    case '.lua':
      return blankOut(keepOnly(text, matchesOf(text, /--[^\n]*/g)), /--/g);
    case '.html':
      return keepOnly(text, matchesOf(text, /<!--[\s\S]*?-->/g));
    default:
      return text;
  }
}

function excerptsOf(path: string, text: string): readonly Excerpt[] {
  const { code, comments, literals } = scanSource(text);
  if (!path.endsWith('.test.ts')) return comments;
  const titles = literals.filter(({ at }) => BEFORE_TITLE.test(code.slice(Math.max(0, at - 80), at)));
  return [...comments, ...titles].toSorted((a, b) => a.at - b.at);
}

const matchesOf = (text: string, pattern: RegExp): readonly Excerpt[] =>
  [...text.matchAll(pattern)].map((match) => ({ at: match.index, text: match[0] }));

function keepOnly(text: string, excerpts: readonly Excerpt[]): string {
  const parts: string[] = [];
  let i = 0;
  for (const excerpt of excerpts) {
    parts.push(blank(text.slice(i, excerpt.at)), excerpt.text);
    i = excerpt.at + excerpt.text.length;
  }
  parts.push(blank(text.slice(i)));
  return parts.join('');
}

const blankOut = (text: string, pattern: RegExp): string => text.replace(pattern, blank);
const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
