import { X509Certificate } from 'node:crypto';
import { inertText } from '#domain/text/inert-text.ts';
import type { Certificate } from '../contract-hosts.ts';
import { ProviderFailure } from '../provider.ts';
import { serialNumber } from './serial-number.ts';

const DISTINGUISHED_MAX = 512;
const NAME_MAX = 256;
const NAMES_MAX = 50;

export type ReadCertificate = {
  readonly certificate: Certificate;
  readonly names: readonly string[];
  readonly validFromMs: number;
  readonly validToMs: number;
  readonly isSelfIssued: boolean;
  readonly isFor: (host: string, isAddress: boolean) => boolean;
};

/** Reads a DER certificate from outside: bounded and inert, or a failure of the target. */
export function readCertificate(der: Buffer): ReadCertificate {
  const parsed = parse(der);
  const [validFromMs, validToMs] = [momentOf(parsed.validFrom), momentOf(parsed.validTo)];
  if (Number.isNaN(validFromMs) || Number.isNaN(validToMs))
    throw new ProviderFailure('target', 'The certificate has an invalid date.');
  return {
    certificate: {
      issuer: distinguished(parsed.issuer),
      subject: distinguished(parsed.subject),
      validFrom: new Date(validFromMs).toISOString(),
      validTo: new Date(validToMs).toISOString(),
      serialNumber: serialNumber(parsed.serialNumber),
      fingerprint: parsed.fingerprint256,
    },
    names: namesOf(parsed.subjectAltName),
    validFromMs,
    validToMs,
    isSelfIssued: parsed.checkIssued(parsed),
    isFor: (host, isAddress) =>
      (isAddress ? parsed.checkIP(host) : parsed.checkHost(host, { partialWildcards: false })) !== undefined,
  };
}

/**
 * Parsed from the text: for an invalid date the library's Date is some other date, but its text says "Bad time value".
 */
const momentOf = (text: string): number =>
  /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4} GMT$/.test(text) ? Date.parse(text) : Number.NaN;

function parse(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch (error) {
    throw new ProviderFailure('target', 'The certificate cannot be read.', error);
  }
}

/** The library has one attribute per line; here they are joined. A subject may be empty, because the names decide. */
const distinguished = (lines: string | undefined): string =>
  inertText((lines ?? '').replaceAll('\n', ', '), DISTINGUISHED_MAX) ?? '';

/**
 * `DNS:a.example, IP Address:192.0.2.1, URI:"…"`. A value with a comma or a quote is a JSON string with the
 * comma escaped, so that one name cannot pass as two.
 */
function namesOf(alternatives: string | undefined): string[] {
  const names = new Set<string>();
  for (const part of (alternatives ?? '').split(', ')) {
    const value = /^(?:DNS|IP Address):(.+)$/s.exec(part)?.[1];
    const name = value === undefined ? null : inertText(unquoted(value), NAME_MAX);
    if (name !== null) names.add(name.toLowerCase());
    if (names.size === NAMES_MAX) break;
  }
  return [...names];
}

function unquoted(value: string): unknown {
  if (!value.startsWith('"')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}
