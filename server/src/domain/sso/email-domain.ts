import { parse } from 'tldts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const HOST = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})+$`);

/**
 * A domain whose mailboxes one organization can own, in its stored spelling; null for anything else. A public suffix is refused:
 * the owner of `co.uk` is not the owner of the addresses below it.
 */
export function readEmailDomain(text: string): string | null {
  const domain = text.trim().toLowerCase();
  if (!HOST.test(domain)) return null;
  const { isIp, publicSuffix } = parse(domain, { allowPrivateDomains: true });
  return isIp === true || publicSuffix === domain ? null : domain;
}

/** The part after the last `@`, in lower case. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();
