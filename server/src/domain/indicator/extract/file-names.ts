/**
 * Endings that are top-level domains and, far more often, file names. Such a name is a domain when somebody made its dot
 * harmless, gave it a scheme, or when it lies below a two-part suffix or `www`.
 */
const FILE_ENDINGS: ReadonlySet<string> = new Set([
  'cab',
  'md',
  'mk',
  'mov',
  'pm',
  'ps',
  'pub',
  'py',
  'sh',
  'so',
  'tf',
  'zip',
]);
/** The same, but of countries with many names: also a domain when it fills a line, a column or a quoted value. */
const COUNTRY_FILE_ENDINGS: ReadonlySet<string> = new Set(['la', 'pl', 'rs']);

/** `org.apache.app`, `com.example.live`: names of packages are domains back to front. */
const PACKAGE = /^(?:com|org|net|java|javax|android|androidx)\.(?=[^.]+\.).*\.(?!com$|org$|net$)[^.]+$/i;
/** Facility and priority in configurations and logs of syslog. */
const SYSLOG = /^(?:auth|authpriv|cron|daemon|kern|lpr|mail|news|syslog|user|uucp|local[0-7])\.info$/i;
/** Names of the DNS's own plumbing: an address written backwards. */
const REVERSE = /\.arpa$/i;

export type NameContext = {
  /** Nothing but itself between two ends of a line, commas, tabs or quotes. */
  readonly isField: boolean;
  /** Something in front or behind says that it is called, or lies in a folder. */
  readonly isPath: boolean;
  readonly isCalled: boolean;
};

/**
 * Is this name, which ends in a public suffix, meant as a domain? `other`: certainly not. `file`: it could be, and whoever
 * wrote it has to say so.
 */
export function meaningOf(
  name: string,
  registrable: string | null,
  { isField, isPath, isCalled }: NameContext,
): 'domain' | 'file' | 'other' {
  if (isCalled || REVERSE.test(name) || SYSLOG.test(name) || PACKAGE.test(name) || isSentence(name))
    return 'other';
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const isCountry = COUNTRY_FILE_ENDINGS.has(ending);
  if (!isCountry && !FILE_ENDINGS.has(ending)) return 'domain';
  if (/^www\./i.test(name) || hasTwoPartSuffix(registrable) || (isCountry && isField)) return 'domain';
  return isPath ? 'other' : 'file';
}

/** `finished.It went on`, `System.Net`: a small word after a full stop, or a type. Domains are written in one case. */
function isSentence(name: string): boolean {
  const dot = name.lastIndexOf('.');
  const [first, second] = [name.charAt(dot + 1), name.charAt(dot + 2)];
  if (!/[A-Z]/.test(first)) return false;
  return /[a-z]/.test(second) || /[a-z]/.test(name.slice(0, dot));
}

const hasTwoPartSuffix = (registrable: string | null): boolean =>
  registrable !== null && registrable.split('.').length > 2;
