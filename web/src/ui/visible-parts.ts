export type VisiblePart = { readonly text: string; readonly isHidden: boolean };

/** Control characters, bidirectional marks, zero-width and other formatting characters, and lone surrogates. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u;

/** Splits a text so that every invisible character becomes a part of its own, shown by its code point. */
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

/** A text with its invisible characters shown, as one string for a title, an accessible name or a chart label. */
export const visibleText = (text: string): string =>
  visibleParts(text)
    .map((part) => part.text)
    .join('');
