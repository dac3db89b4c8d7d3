export type VisiblePart = { readonly text: string; readonly isHidden: boolean };

/** Controls, bidirectional marks, zero-width and other formatting characters, and lone surrogates. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u;

/** The same text with every character that cannot be seen replaced by its number, as a part of its own. */
export function visibleParts(text: string): readonly VisiblePart[] {
  const parts: VisiblePart[] = [];
  let plain = '';
  for (const character of text) {
    if (!HIDDEN.test(character)) {
      plain += character;
      continue;
    }
    if (plain !== '') parts.push({ text: plain, isHidden: false });
    plain = '';
    const code = character.codePointAt(0) ?? 0;
    parts.push({ text: `U+${code.toString(16).toUpperCase().padStart(4, '0')}`, isHidden: true });
  }
  if (plain !== '' || parts.length === 0) parts.push({ text: plain, isHidden: false });
  return parts;
}

/** The same where only plain text can stand: a title, a name for screen readers, a label of a chart. */
export const visibleText = (text: string): string =>
  visibleParts(text)
    .map((part) => part.text)
    .join('');
