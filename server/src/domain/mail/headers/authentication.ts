import { decodeText } from './mailboxes.ts';
import type { Header } from './read-headers.ts';

export const AUTH_RESULTS = [
  'pass',
  'fail',
  'softfail',
  'neutral',
  'none',
  'temperror',
  'permerror',
] as const;
export type AuthResult = (typeof AUTH_RESULTS)[number];
const METHODS = ['spf', 'dkim', 'dmarc'] as const;
type Method = (typeof METHODS)[number];

/** What the caller says of its own receiving system. */
export type MailTrust = {
  readonly authservId: string | null;
  readonly trustAuthenticationResults: boolean;
  readonly trustedHops: number;
};

export type Authentication = {
  /** `trusted`: a header that the caller vouches for was found. */
  readonly status: 'trusted' | 'unverified';
  readonly spf: AuthResult | null;
  readonly dkim: AuthResult | null;
  readonly dmarc: AuthResult | null;
  /** The domain of From that DMARC was evaluated for. */
  readonly headerFrom: string | null;
  /** The policy that a comment in the header names, such as `p=NONE`. */
  readonly policy: string | null;
};

export const UNVERIFIED: Authentication = {
  status: 'unverified',
  spf: null,
  dkim: null,
  dmarc: null,
  headerFrom: null,
  policy: null,
};

type Report = {
  readonly authservId: string | null;
  readonly results: ReadonlyMap<Method, readonly AuthResult[]>;
  readonly headerFrom: string | null;
  readonly policy: string | null;
};

const STATEMENTS_MAX = 50;
const POLICY = /\bp=(none|quarantine|reject)\b/i;

/** Comments are removed with their text, because a comment may hold anything, results included. */
function withoutComments(text: string): string {
  let plain = '';
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\\') {
      if (depth === 0) plain += text.charAt(at + 1);
      at += 1;
    } else if (char === '"' && depth === 0) isQuoted = !isQuoted;
    else if (char === '(' && !isQuoted) depth += 1;
    else if (char === ')' && depth > 0 && !isQuoted) depth -= 1;
    else if (depth === 0) plain += char;
  }
  return plain;
}

/** One Authentication-Results header (RFC 8601 2.2). */
export function readReport(value: string): Report {
  const decoded = decodeText(value);
  const [head = '', ...statements] = withoutComments(decoded).split(';');
  const isWithoutId = head.includes('=');
  const id = isWithoutId ? '' : (head.trim().split(/\s+/)[0] ?? '').toLowerCase();
  const results = new Map<Method, AuthResult[]>();
  let headerFrom: string | null = null;
  for (const statement of (isWithoutId ? [head, ...statements] : statements).slice(0, STATEMENTS_MAX)) {
    const words = statement.trim().split(/[\s=/]+/);
    const method = METHODS.find((name) => name === words[0]?.toLowerCase());
    // In `dkim/1=pass` the number is the version of the method.
    const word = /^\d+$/.test(words[1] ?? '') ? words[2] : words[1];
    const result = AUTH_RESULTS.find((name) => name === word?.toLowerCase());
    if (method === undefined || result === undefined) continue;
    results.set(method, [...(results.get(method) ?? []), result]);
    if (method === 'dmarc') headerFrom ??= propertyOf(statement, 'header.from');
  }
  const policy = POLICY.exec(decoded)?.[1]?.toLowerCase() ?? null;
  return { authservId: id === '' ? null : id, results, headerFrom, policy };
}

function propertyOf(statement: string, name: string): string | null {
  for (const word of statement.trim().split(/\s+/)) {
    const [key, value] = word.split('=', 2);
    if (key?.toLowerCase() === name && value !== undefined) return value.toLowerCase().slice(0, 253);
  }
  return null;
}

/**
 * The reports that the caller vouches for (trap 45). Headers below the first untrusted hop were present before the
 * receiving system saw the message. Of the headers above it the topmost counts. Further ones of the same system count
 * only above every Received field, because a sender can put fields below the first of them.
 */
function trustedReports(headers: readonly Header[], trust: MailTrust): readonly Report[] {
  const wanted = trust.authservId?.toLowerCase() ?? null;
  const found: Report[] = [];
  let hops = 0;
  for (const { name, value } of headers) {
    if (name === 'received') hops += 1;
    if (hops > trust.trustedHops) break;
    if (name !== 'authentication-results') continue;
    const report = readReport(value);
    const isMatch =
      wanted === null
        ? trust.trustAuthenticationResults
        : report.authservId === wanted || (report.authservId === null && trust.trustAuthenticationResults);
    if (!isMatch) continue;
    const [first] = found;
    if (first === undefined) found.push(report);
    else if (hops === 0 && report.authservId === first.authservId) found.push(report);
  }
  return found;
}

export function readAuthentication(headers: readonly Header[], trust: MailTrust): Authentication {
  if (trust.authservId === null && !trust.trustAuthenticationResults) return UNVERIFIED;
  const reports = trustedReports(headers, trust);
  const [first] = reports;
  if (first === undefined) return UNVERIFIED;
  const resultOf = (method: Method): AuthResult | null => {
    const given = reports.find(({ results }) => results.has(method))?.results.get(method) ?? [];
    // Of several DKIM signatures one that holds is enough (RFC 6376 4.2).
    return method === 'dkim' && given.includes('pass') ? 'pass' : (given[0] ?? null);
  };
  const dmarc = reports.find(({ results }) => results.has('dmarc'));
  return {
    status: 'trusted',
    spf: resultOf('spf'),
    dkim: resultOf('dkim'),
    dmarc: resultOf('dmarc'),
    headerFrom: dmarc?.headerFrom ?? null,
    policy: dmarc?.policy ?? null,
  };
}
