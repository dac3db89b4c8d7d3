/** Rules about the mail records of a domain: SPF (RFC 7208), DMARC (RFC 7489), DKIM keys, null MX. */
export { COMMON_SELECTORS, isDkimKey } from './dkim.ts';
export { type Dmarc, inheritDmarc, readDmarc } from './dmarc.ts';
export { gradeMail } from './grade.ts';
export { takesMail } from './mail-exchange.ts';
export { readSpf, type Spf } from './spf.ts';
