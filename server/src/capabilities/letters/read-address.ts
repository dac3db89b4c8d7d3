import { hash } from 'node:crypto';
import { domainToASCII } from 'node:url';

/** The maximum lengths of RFC 5321 section 4.5.3.1. */
const ADDRESS_MAX = 254;
const LOCAL_MAX = 64;
/** A dot-atom of RFC 5322: quoted local parts are refused, because mail programs read them differently. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const HOST = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/**
 * The address that a letter can go to, with its host in ASCII; null for anything else. A private suffix is accepted: a
 * company may receive mail at names that no public list has.
 */
export function readAddress(text: string): string | null {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  if (at < 1 || trimmed.length > ADDRESS_MAX) return null;
  const local = trimmed.slice(0, at);
  const host = domainToASCII(trimmed.slice(at + 1)).toLowerCase();
  const isWhole = local.length <= LOCAL_MAX && LOCAL.test(local) && HOST.test(host);
  const address = `${local}@${host}`;
  return isWhole && address.length <= ADDRESS_MAX ? address : null;
}

/** The same for every way to write an address: no large provider distinguishes the case of the local part. */
export const digestOf = (address: string): Buffer => hash('sha256', address.toLowerCase(), 'buffer');
