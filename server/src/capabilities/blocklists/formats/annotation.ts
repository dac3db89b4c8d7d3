import { inertText } from '#domain/text/inert-text.ts';
import type { ListEntry } from '../list-entry.ts';

/**
 * What a comment may hold in every format: nothing that ends a line, a string or a comment, and nothing that a shell, a
 * router or a spreadsheet reads as more than a letter. One alphabet for all formats leaves no escaping to get wrong.
 */
const UNSAFE = /[^A-Za-z0-9 .,:()/_+-]/g;
const TEXT_MAX = 160;

/** `score 93, family Mirai, listed by two sources`: one line of safe characters, at most 240 long. */
export function annotationOf({ score, family, reason }: ListEntry): string {
  const parts = [`score ${Math.round(score)}`];
  const named = safeText(family);
  if (named !== '') parts.push(`family ${named}`);
  const why = safeText(reason);
  if (why !== '') parts.push(why);
  return parts.join(', ');
}

/** `//` begins a comment of its own in some readers, and `--` an option. */
const safeText = (text: string | null): string =>
  (inertText(text, TEXT_MAX) ?? '')
    .replace(UNSAFE, '?')
    .replace(/\/{2,}/g, '/')
    .replace(/-{2,}/g, '-')
    .trim();
