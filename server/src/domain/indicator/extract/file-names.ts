/**
 * Endings that are top-level domains but occur far more often in file names. Such a name is read as a domain when its
 * dot is defanged, when it has a scheme, or when it lies below a two-part suffix or `www`.
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
/** Endings of countries with many domains: also a domain when it fills a line, a column or a quoted value. */
const COUNTRY_FILE_ENDINGS: ReadonlySet<string> = new Set(['la', 'pl', 'rs']);

/** Package names such as `org.apache.app` and `com.example.live` are domains in reverse order. */
const PACKAGE = /^(?:com|org|net|java|javax|android|androidx)\.(?=[^.]+\.).*\.(?!com$|org$|net$)[^.]+$/i;
const SYSLOG = /^(?:auth|authpriv|cron|daemon|kern|lpr|mail|news|syslog|user|uucp|local[0-7])\.info$/i;
const REVERSE = /\.arpa$/i;

export type NameContext = {
  /** The name fills the whole space between two line ends, commas, tabs or quotes. */
  readonly isField: boolean;
  readonly isPath: boolean;
  readonly isCalled: boolean;
};

/**
 * Decides whether a name with a public suffix is meant as a domain. `other`: it is not. `file`: it may be either, so
 * the author has to write it as a domain (defanged or with a scheme).
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

/** `finished.It went on` is two sentences and `System.Net` is a type: domains are written in one case. */
function isSentence(name: string): boolean {
  const dot = name.lastIndexOf('.');
  const [first, second] = [name.charAt(dot + 1), name.charAt(dot + 2)];
  if (!/[A-Z]/.test(first)) return false;
  return /[a-z]/.test(second) || /[a-z]/.test(name.slice(0, dot));
}

const hasTwoPartSuffix = (registrable: string | null): boolean =>
  registrable !== null && registrable.split('.').length > 2;
