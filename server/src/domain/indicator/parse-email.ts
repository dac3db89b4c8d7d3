import type { Email } from './indicator.ts';
import { parseDomain } from './parse-domain.ts';
import { type Attempt, accept, reject } from './rejections.ts';

/** The maximum lengths of RFC 5321 section 4.5.3.1 and of erratum 1690 to RFC 3696. */
const LOCAL_MAX = 64;
const ADDRESS_MAX = 254;
/** A dot-atom of RFC 5322 section 3.2.3. Quoted local parts are refused: no list has one, and parsers disagree. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;

/** Always lower case: RFC 5321 lets a host distinguish `A@` from `a@`, but no large provider does, and lists do not. */
export function parseEmail(text: string): Attempt<Email> {
  const at = text.lastIndexOf('@');
  if (at < 0) return null;
  const local = text.slice(0, at);
  const parsed = parseDomain(text.slice(at + 1));
  if (local.length > LOCAL_MAX || !LOCAL.test(local) || parsed === null) return reject('email');
  if (!parsed.ok) return parsed;
  const value = `${local.toLowerCase()}@${parsed.indicator.value}`;
  if (value.length > ADDRESS_MAX) return reject('email');
  return accept({ kind: 'email', value, domain: parsed.indicator });
}
