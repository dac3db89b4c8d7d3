import type { ParseResult, Phone } from './indicator.ts';
import { accept, reject } from './rejections.ts';

const WRITTEN = /^(?:tel:)?\s*(?:\+|00)[\d\s()./-]{6,32}$/i;
/** `+44 (0)20 7946 0958`: the zero is dialled at home only. */
const TRUNK_ZERO = /\(0\)/;
/** ITU-T E.164: at most 15 digits, no country code starts with 0. The least that is in use has 7. */
const E164 = /^\+[1-9]\d{6,14}$/;

/**
 * A number that carries its country code, as lists write it: form and length only. Whether the number can exist needs
 * the plans of every country, which a feed line and a browser are not worth; `domain/contact` has them.
 */
export function parsePhone(text: string): ParseResult<Phone> {
  const trimmed = text.trim();
  if (!WRITTEN.test(trimmed)) return reject('phone');
  const digits = trimmed.replace(TRUNK_ZERO, '').replace(/\D/g, '');
  const value = trimmed.includes('+') ? `+${digits}` : `+${digits.slice(2)}`;
  return E164.test(value) ? accept({ kind: 'phone', value }) : reject('phone');
}
