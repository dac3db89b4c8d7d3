import { readPhone, readWallet } from '../../contact/index.ts';
import type { ContactFact } from '../message-facts.ts';

const CHARS_MAX = 128 * 1024;
const EACH_MAX = 20;
const PHONE = /(?<![\w.+-])(?:\+\d[\d ().-]{7,18}\d|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4})(?![\w-])/g;
const WALLET =
  /(?<![\w])(?:bc1[a-z0-9]{20,60}|[13][1-9A-HJ-NP-Za-km-z]{25,34}|0x[0-9a-fA-F]{40}|T[1-9A-HJ-NP-Za-km-z]{33})(?![\w])/g;

type From = Pick<ContactFact, 'origin' | 'originName'>;

/** Phone numbers and wallets in a text. A phone number must be valid, and a wallet's checksum must be right. */
export function readContacts(text: string, emails: readonly string[], from: From): readonly ContactFact[] {
  const part = text.slice(0, CHARS_MAX);
  const contacts = new Map<string, ContactFact>();
  const add = (kind: ContactFact['kind'], value: string): void => {
    if (!contacts.has(value)) contacts.set(value, { kind, value, ...from });
  };
  for (const value of emails.slice(0, EACH_MAX)) add('email', value);
  for (const [raw] of firstOf(part, PHONE)) {
    const reading = readPhone(raw, null);
    if (reading.state === 'resolved') add('phone', reading.phone.value);
  }
  for (const [raw] of firstOf(part, WALLET)) {
    const read = readWallet(raw);
    if (read.ok) add('crypto', read.wallet.value);
  }
  return [...contacts.values()];
}

const firstOf = (text: string, pattern: RegExp): readonly RegExpExecArray[] =>
  [...text.matchAll(pattern).take(EACH_MAX)] as RegExpExecArray[];
