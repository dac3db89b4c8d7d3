/**
 * What a screen does not show or a terminal obeys: C0 and C1 controls, and everything Unicode calls format or leaves
 * unshown (bidirectional controls, zero-width, tags, variation selectors).
 */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Line breaks of every kind separate words, and are taken as a space before the rest is dropped. */
const BLANK = /[\s\u0085]+/g;
/** Reading more than this per wanted character only serves whoever pads with what is dropped. */
const RAW_PER_KEPT = 8;

/**
 * Text that somebody else wrote, made fit to be shown, stored and compared: one line, nothing invisible, at most `max`
 * code units and never half a character. Null when it is no text or nothing is left.
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
