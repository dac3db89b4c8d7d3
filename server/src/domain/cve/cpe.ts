/** The attributes of a CPE 2.3 name in their order. */
export const CPE_ATTRIBUTES = [
  'part',
  'vendor',
  'product',
  'version',
  'update',
  'edition',
  'language',
  'swEdition',
  'targetSw',
  'targetHw',
  'other',
] as const;
export type CpeAttribute = (typeof CPE_ATTRIBUTES)[number];

/**
 * Each value as the formatted string writes it: `*` for any, `-` for not applicable, signs other than `_.-` with a
 * backslash before them, and `*` and `?` without one as wildcards.
 */
export type Cpe = Readonly<Record<CpeAttribute, string>>;

const ANY = '*';
const NOT_APPLICABLE = '-';
const LENGTH_MAX = 2000;
const PLAIN = /[A-Za-z0-9_.-]/;
const IS_CANONICAL = /^[a-z0-9_.-]+$/;
/** The edition attribute of a URI may carry five values: `~edition~sw_edition~target_sw~target_hw~other`. */
const PACKED: readonly CpeAttribute[] = ['edition', 'swEdition', 'targetSw', 'targetHw', 'other'];
const URI_ATTRIBUTES: readonly CpeAttribute[] = CPE_ATTRIBUTES.slice(0, 7);

/** Reads either binding, `cpe:2.3:...` or `cpe:/...`; attributes that are left out at the end are any. */
export function parseCpe(text: string): Cpe | null {
  const bare = text.trim();
  if (bare.length > LENGTH_MAX) return null;
  if (/^cpe:2\.3:/i.test(bare)) return parseFormatted(bare.slice(8));
  return /^cpe:\//i.test(bare) ? parseUri(bare.slice(5)) : null;
}

function parseFormatted(text: string): Cpe | null {
  const parts = splitUnescaped(text);
  if (parts.length < 3 || parts.length > CPE_ATTRIBUTES.length) return null;
  const values = CPE_ATTRIBUTES.map((_, at) => canonical(parts[at] ?? ANY));
  return values.includes(null) ? null : completed((name) => values[CPE_ATTRIBUTES.indexOf(name)] ?? ANY);
}

function completed(valueAt: (name: CpeAttribute) => string): Cpe | null {
  if (!/^[aoh*-]$/.test(valueAt('part'))) return null;
  return {
    part: valueAt('part'),
    vendor: valueAt('vendor'),
    product: valueAt('product'),
    version: valueAt('version'),
    update: valueAt('update'),
    edition: valueAt('edition'),
    language: valueAt('language'),
    swEdition: valueAt('swEdition'),
    targetSw: valueAt('targetSw'),
    targetHw: valueAt('targetHw'),
    other: valueAt('other'),
  };
}

function splitUnescaped(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === ':') {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

/** The one spelling of a value: a backslash only where the binding demands it. Null after a backslash at the end. */
function canonical(value: string): string | null {
  if (value === '' || value === ANY) return ANY;
  if (value === NOT_APPLICABLE) return NOT_APPLICABLE;
  // Fast path: most values are in this spelling already.
  if (IS_CANONICAL.test(value)) return value;
  let written = '';
  for (let at = 0; at < value.length; at += 1) {
    const char = value.charAt(at);
    if (char === '\\') {
      at += 1;
      if (at >= value.length) return null;
      written += literal(value.charAt(at));
    } else written += char === '*' || char === '?' ? char : literal(char);
  }
  return written === NOT_APPLICABLE ? '\\-' : written.toLowerCase();
}

const literal = (char: string): string => (PLAIN.test(char) ? char : `\\${char}`);

function parseUri(text: string): Cpe | null {
  const parts = text.split(':');
  if (parts.length > URI_ATTRIBUTES.length) return null;
  const values = new Map<CpeAttribute, string | null>();
  for (const [at, name] of URI_ATTRIBUTES.entries()) {
    const part = parts[at] ?? '';
    if (name === 'edition' && part.startsWith('~')) {
      const packed = part.slice(1).split('~');
      if (packed.length > PACKED.length) return null;
      for (const [index, attribute] of PACKED.entries()) values.set(attribute, fromUri(packed[index] ?? ''));
    } else values.set(name, fromUri(part));
  }
  if ([...values.values()].includes(null)) return null;
  return completed((name) => values.get(name) ?? ANY);
}

function fromUri(part: string): string | null {
  if (part === '') return ANY;
  if (part === NOT_APPLICABLE) return NOT_APPLICABLE;
  let written = '';
  for (let at = 0; at < part.length; at += 1) {
    const char = part.charAt(at);
    const code = char === '%' ? Number.parseInt(part.slice(at + 1, at + 3), 16) : char.charCodeAt(0);
    if (Number.isNaN(code)) return null;
    if (char === '%') at += 2;
    const isEncoded = char === '%';
    written +=
      isEncoded && code === 1 ? '?' : isEncoded && code === 2 ? '*' : literal(String.fromCharCode(code));
  }
  return written === NOT_APPLICABLE ? '\\-' : written.toLowerCase();
}

export const formatCpe = (cpe: Cpe): string => `cpe:2.3:${CPE_ATTRIBUTES.map((name) => cpe[name]).join(':')}`;

export function formatCpeUri(cpe: Cpe): string {
  const hasPacked = PACKED.slice(1).some((name) => cpe[name] !== ANY);
  const edition = hasPacked ? `~${PACKED.map((name) => toUri(cpe[name])).join('~')}` : toUri(cpe.edition);
  const parts = URI_ATTRIBUTES.map((name) => (name === 'edition' ? edition : toUri(cpe[name])));
  while (parts.at(-1) === '') parts.pop();
  return `cpe:/${parts.join(':')}`;
}

function toUri(value: string): string {
  if (value === ANY) return '';
  if (value === NOT_APPLICABLE) return NOT_APPLICABLE;
  if (value === '\\-') return '%2d';
  let written = '';
  for (let at = 0; at < value.length; at += 1) {
    const char = value.charAt(at);
    if (char === '*') written += '%02';
    else if (char === '?') written += '%01';
    else if (char === '\\') {
      at += 1;
      written += `%${value.charCodeAt(at).toString(16).padStart(2, '0')}`;
    } else written += char;
  }
  return written;
}

/** The value as people write it; null for any and not applicable. */
export const cpeText = (value: string): string | null =>
  value === ANY || value === NOT_APPLICABLE ? null : value.replace(/\\(.)/g, '$1');

/**
 * Whether a value of a record includes a value of a component (NISTIR 7696): any includes all, and wildcards include what
 * they stand for. Null where the component leaves the value open.
 */
export function cpeIncludes(wanted: string, given: string): boolean | null {
  if (wanted === ANY || wanted === given) return true;
  if (given === ANY) return null;
  if (wanted === NOT_APPLICABLE || given === NOT_APPLICABLE) return false;
  return matchesWildcards(wanted, given);
}

function wildcardAtEnd(text: string): string {
  let from = text.length;
  while (from > 0 && text[from - 1] === '?') from -= 1;
  if (from === text.length && text.endsWith('*')) from -= 1;
  return from > 0 && text[from - 1] === '\\' ? text.slice(from + 1) : text.slice(from);
}

/** Wildcards stand only at the ends of a value: `*` for any text, each `?` for at most one sign. */
function matchesWildcards(wanted: string, given: string): boolean {
  const start = /^(?:\*|\?+)/.exec(wanted)?.[0] ?? '';
  const rest = wanted.slice(start.length);
  const end = wildcardAtEnd(rest);
  if (start === '' && end === '') return false;
  const core = rest.slice(0, rest.length - end.length);
  for (let at = given.indexOf(core); at !== -1; at = given.indexOf(core, at + 1)) {
    const before = at;
    const after = given.length - at - core.length;
    if ((start === '*' || before <= start.length) && (end === '*' || after <= end.length)) return true;
    if (core === '') return start === '*' || end === '*' || given.length <= start.length + end.length;
  }
  return false;
}
