import type { z } from 'zod';

/** An issue as Zod hands it to an error map: its message is not written yet. */
export type RawIssue = z.core.$ZodRawIssue;

const TEXT_SHOWN_MAX = 40;
/** More than any route has, so that the option a caller looks for is among them. */
const OPTIONS_SHOWN_MAX = 40;
const KEYS_SHOWN_MAX = 5;
/** Values of such fields are never repeated: an answer ends up in tickets and screenshots. */
const SECRET_FIELD = /secret|password|token|key|credential|cookie|sha1|ntlm|hash/i;
/** Characters that would change how the sentence reads, or that a terminal acts on. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}"\\]/gu;

const WANTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  set: 'a list',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  date: 'a date',
  null: 'null',
  undefined: 'nothing',
  never: 'nothing',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address such as name@example.com',
  url: 'a URL such as https://example.com/',
  datetime: 'a time with its zone such as 2026-08-22T12:00:00Z',
  date: 'a day such as 2026-08-22',
  time: 'a time of day such as 12:00:00',
  duration: 'a duration such as P1D',
  uuid: 'a UUID',
  guid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  cidrv4: 'an IPv4 range such as 203.0.113.0/24',
  cidrv6: 'an IPv6 range such as 2001:db8::/32',
  base64: 'base64 text',
  base64url: 'base64url text',
  hex: 'hexadecimal digits',
  json_string: 'JSON text',
  lowercase: 'text in lower case',
  uppercase: 'text in upper case',
};

/**
 * The sentence for one issue: what is wanted, and what came. Used in place of Zod's own words for every issue without a
 * sentence of its own in the contract. `came` is the value as it was sent, which a coercion may have replaced.
 */
export function wordIssue(issue: RawIssue, came: unknown): string {
  const shown = describeValue(came, String(issue.path?.at(-1) ?? ''));
  switch (issue.code) {
    case 'invalid_type':
      return asked(wantedType(issue.expected, came), came, shown);
    case 'invalid_value':
      return asked(optionsOf(issue.values), came, shown);
    case 'invalid_format':
      return asked(wantedFormat(issue), came, shown);
    case 'too_big':
      return `Send ${bound('most', issue.origin, issue.maximum, issue)}, not ${sizeOf(issue.origin, came, shown)}.`;
    case 'too_small':
      return `Send ${bound('least', issue.origin, issue.minimum, issue)}, not ${sizeOf(issue.origin, came, shown)}.`;
    case 'not_multiple_of':
      return `Send a multiple of ${issue.divisor}, not ${shown}.`;
    case 'unrecognized_keys':
      return unknownKeys(issue.keys);
    case 'invalid_union':
      return asked(wantedOf(issue.errors), came, shown);
    case 'invalid_key':
      return 'Send only names of fields that the description at /openapi.json allows.';
    default:
      return asked('a value that the description at /openapi.json allows', came, shown);
  }
}

/** For a query parameter that came several times although its schema takes one value. */
export const repeatedParameter = (times: number): string => `Send it once, not ${times} times.`;

const asked = (wanted: string, came: unknown, shown: string): string =>
  came === undefined ? `This is missing. Send ${wanted}.` : `Send ${wanted}, not ${shown}.`;

/** Zod expects a number both for `abc` and for infinity; only the latter came as a number. */
function wantedType(expected: string, came: unknown): string {
  if (expected === 'number' && typeof came === 'number') return 'a finite number';
  // A field that `required()` asked for again loses the name of its type.
  if (expected === 'nonoptional') return 'a value';
  return WANTED[expected] ?? 'a value that the description at /openapi.json allows';
}

function optionsOf(values: readonly unknown[]): string {
  const shown = values.slice(0, OPTIONS_SHOWN_MAX).map(String);
  const left = values.length - shown.length;
  if (values.length === 1) return shown[0] ?? '';
  return `one of ${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

function wantedFormat(issue: RawIssue & { readonly code: 'invalid_format' }): string {
  if (issue.format === 'starts_with') return `text that starts with ${String(issue.prefix)}`;
  if (issue.format === 'ends_with') return `text that ends with ${String(issue.suffix)}`;
  if (issue.format === 'includes') return `text that contains ${String(issue.includes)}`;
  return FORMATS[issue.format] ?? 'text of the form that the description at /openapi.json names';
}

type Bounded = { readonly inclusive?: boolean; readonly exact?: boolean };

function bound(
  side: 'most' | 'least',
  origin: string,
  limit: unknown,
  { inclusive, exact }: Bounded,
): string {
  const unit = UNITS[origin];
  const text =
    unit === undefined ? String(limit) : `${String(limit)} ${unit}${Number(limit) === 1 ? '' : 's'}`;
  if (exact === true) return `exactly ${text}`;
  if (inclusive === false) return `${side === 'most' ? 'less' : 'more'} than ${text}`;
  return `at ${side} ${text}`;
}

const UNITS: Readonly<Record<string, string>> = {
  string: 'character',
  array: 'item',
  set: 'item',
  map: 'field',
  object: 'field',
  record: 'field',
  file: 'byte',
};

const sizeOf = (origin: string, came: unknown, shown: string): string => {
  if (typeof came === 'string' && origin === 'string') return String(came.length);
  if (Array.isArray(came)) return String(came.length);
  if (UNITS[origin] !== undefined && typeof came === 'object' && came !== null)
    return String(Object.keys(came).length);
  return shown;
};

function unknownKeys(keys: readonly string[]): string {
  const shown = keys.slice(0, KEYS_SHOWN_MAX).map((key) => `"${safeText(key)}"`);
  const left = keys.length - shown.length;
  const fields = keys.length === 1 ? 'no such field exists' : 'no such fields exist';
  return `Leave out ${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}: ${fields} here.`;
}

/** The kinds of value that the parts of a union take, where each part fails on the value itself. */
function wantedOf(errors: readonly (readonly z.core.$ZodIssue[])[]): string {
  const wanted = errors.map(([issue]) => {
    if (issue === undefined || issue.path.length > 0) return null;
    if (issue.code === 'invalid_type') return WANTED[issue.expected] ?? null;
    if (issue.code === 'invalid_value') return optionsOf(issue.values);
    return issue.code === 'invalid_format' ? wantedFormat(issue as never) : null;
  });
  if (wanted.length === 0 || wanted.includes(null)) return 'one of the forms that /openapi.json describes';
  return [...new Set(wanted)].join(' or ');
}

/** What came, short and inert. Long texts and values of secret fields are named by their length alone. */
function describeValue(value: unknown, field: string): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  if (SECRET_FIELD.test(field)) return typeof value === 'string' ? 'this text' : `a ${typeof value}`;
  if (typeof value !== 'string') return `${value as number | boolean | bigint}`.slice(0, TEXT_SHOWN_MAX);
  if (value === '') return 'an empty text';
  return value.length > TEXT_SHOWN_MAX ? `a text of ${value.length} characters` : `"${safeText(value)}"`;
}

const safeText = (text: string): string =>
  (text.length > TEXT_SHOWN_MAX ? `${text.slice(0, TEXT_SHOWN_MAX)}…` : text).replace(UNSAFE, '?');

/** The value at a path of what was sent, own fields only. */
export function valueAt(sent: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key)
        ? (at as Record<PropertyKey, unknown>)[key]
        : undefined,
    sent,
  );
}
