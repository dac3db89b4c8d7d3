import type { ParseResult, Phone } from './indicator.ts';
import { accept, reject } from './rejections.ts';

const WRITTEN = /^(?:tel:)?\s*(?:\+|00)[\d\s()./-]{6,32}$/i;
/** In `+44 (0)20 7946 0958` the zero is dialled only inside the country. */
const TRUNK_ZERO = /\(0\)/;
/** ITU-T E.164: at most 15 digits, and no country code starts with 0. The shortest numbers in use have 7. */
const E164 = /^\+[1-9]\d{6,14}$/;

/**
 * Reads a number with its country code, as lists write it, by form and length only. Whether the number can exist
 * depends on the numbering plans, which are too slow for feed lines and too large for a browser; `domain/contact` has
 * them.
 */
export function parsePhone(text: string): ParseResult<Phone> {
  const trimmed = text.trim();
  if (!WRITTEN.test(trimmed)) return reject('phone');
  const digits = trimmed.replace(TRUNK_ZERO, '').replace(/\D/g, '');
  const value = trimmed.includes('+') ? `+${digits}` : `+${digits.slice(2)}`;
  return E164.test(value) ? accept({ kind: 'phone', value }) : reject('phone');
}
