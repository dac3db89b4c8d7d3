/**
 * Characters that a screen does not show or a terminal interprets: C0 and C1 controls, and everything Unicode classes
 * as format or ignorable (bidirectional controls, zero-width, tags, variation selectors).
 */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Line breaks of every kind separate words, so they become a space before the rest is dropped. */
const BLANK = /[\s\u0085]+/g;
/** Characters read for each that may be kept. Reading more would only help senders who pad with dropped characters. */
const RAW_PER_KEPT = 8;

/**
 * Makes foreign text safe to show, store and compare: one line, nothing invisible, at most `max` code units, and
 * never half a surrogate pair. Null when it is not text or nothing is left.
 */
export function inertText(value: unknown, max: number): string | null {
  if (typeof value !== 'string' || max < 1) return null;
  const plain = value
    .slice(0, max * RAW_PER_KEPT)
    .toWellFormed()
    .replaceAll('\ufffd', '')
    .replace(BLANK, ' ')
    .replace(UNSHOWN, '')
    .replace(BLANK, ' ')
    .trim();
  const cut = plain.length > max ? cutAt(plain, max) : plain;
  return cut === '' ? null : cut;
}

function cutAt(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHighSurrogate ? max - 1 : max).trimEnd();
}
