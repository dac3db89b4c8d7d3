import type { Asn, ParseResult } from './indicator.ts';
import { accept, reject } from './rejections.ts';

const ASN = /^(?:as[n ]?\s?)?(\d{1,10})$/i;
const ASN_MAX = 0xffff_ffff;

export function parseAsn(text: string): ParseResult<Asn> {
  const number = Number(ASN.exec(text.trim())?.[1] ?? 0);
  if (number < 1 || number > ASN_MAX) return reject('asn');
  return accept({ kind: 'asn', value: `AS${number}`, number });
}
