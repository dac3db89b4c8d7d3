import type { Crypto, ParseResult } from './indicator.ts';
import { accept, reject } from './rejections.ts';

/** Length and alphabet only: checksums cost too much for every feed line. `domain/contact` verifies them. */
const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
const CASE_KEPT = new RegExp(
  `^(?:[13]${BASE58}{25,34}|[LM]${BASE58}{26,33}|[79ADGTX]${BASE58}{33}|t[13]${BASE58}{33}|[48]${BASE58}{94,105}|r${BASE58}{24,34})$`,
);
const LOWER_CASE =
  /^(?:0x[0-9a-f]{40}|(?:bc|ltc)1[02-9ac-hj-np-z]{11,87}|zs1[02-9ac-hj-np-z]{75}|[qp][02-9ac-hj-np-z]{41})$/;
/** The CashAddr checksum covers this prefix, but lists often leave it out; both spellings become one value. */
const CASH_PREFIX = 'bitcoincash:';

/** Bitcoin and its forks, Ethereum and its tokens, Monero, Tron, Zcash, Dash, Dogecoin, Ripple. */
export function parseCrypto(text: string): ParseResult<Crypto> {
  const trimmed = text.trim();
  if (CASE_KEPT.test(trimmed)) return accept({ kind: 'crypto', value: trimmed });
  const lower = trimmed.toLowerCase();
  const bare = lower.startsWith(CASH_PREFIX) ? lower.slice(CASH_PREFIX.length) : lower;
  return LOWER_CASE.test(bare) ? accept({ kind: 'crypto', value: bare }) : reject('crypto');
}
