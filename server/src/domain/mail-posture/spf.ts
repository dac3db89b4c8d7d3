/** A domain's statement of who may send mail for it (RFC 7208). */
export type Spf = {
  readonly text: string;
  readonly problem: string | null;
  /** The result for senders that no other term matches; null when the record has no `all`. */
  readonly all: SpfQualifier | null;
  /** The terms of this record that cost a receiver a DNS lookup (RFC 7208 4.6.4), without those of included records. */
  readonly lookups: number;
  readonly redirect: string | null;
};
export type SpfQualifier = '+' | '-' | '~' | '?';

/** With more lookups, receivers stop with an error (RFC 7208 4.6.4). */
const LOOKUPS_MAX = 10;
/** Far more than real records have; longer ones are not evaluated. */
const TERMS_MAX = 500;
const RECORD = /^v=spf1(?: |$)/i;
const DIRECTIVE = /^([+\-~?]?)(all|include|a|mx|ptr|ip4|ip6|exists)(?=$|[:/])(.*)$/i;
const MODIFIER = /^([a-z][\w.-]*)=(.*)$/i;
const ASKING = new Set(['include', 'a', 'mx', 'ptr', 'exists']);
const NEEDS_DOMAIN = new Set(['include', 'exists']);
const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const IP4 = new RegExp(`^:${OCTET}(?:\\.${OCTET}){3}(?:/(?:3[0-2]|[12]?\\d))?$`);
const IP6 = /^:(?=[^/]*:)[\da-f:.]{2,45}(?:\/(?:12[0-8]|1[01]\d|[1-9]?\d))?$/i;
/** A domain, in which macros are allowed (RFC 7208 7.1), then the prefix lengths of both address families. */
const DOMAIN_SPEC = /^(?::[\x21-\x2e\x30-\x7e]+)?(?:\/\d{1,2})?(?:\/\/\d{1,3})?$/;

/** Finds the SPF record among the TXT records of a name, or null. Several are an error (RFC 7208 4.5). */
export function readSpf(texts: readonly string[]): Spf | null {
  const records = texts.filter((text) => RECORD.test(text));
  const [text] = records;
  if (text === undefined) return null;
  if (records.length > 1) return broken(text, 'There is more than one SPF record.');
  let spf: Spf = { text, problem: null, all: null, lookups: 0, redirect: null };
  const terms = text.split(/ +/).slice(1);
  if (terms.length > TERMS_MAX) return broken(text, 'The SPF record has too many terms.');
  for (const term of terms) {
    if (term !== '') spf = readTerm(spf, term);
    if (spf.problem !== null) return broken(text, spf.problem);
  }
  if (spf.lookups > LOOKUPS_MAX)
    return { ...spf, problem: `The SPF record itself needs ${spf.lookups} DNS lookups; 10 are allowed.` };
  return spf;
}

const broken = (text: string, problem: string): Spf => ({
  text,
  problem,
  all: null,
  lookups: 0,
  redirect: null,
});

function readTerm(spf: Spf, term: string): Spf {
  const directive = DIRECTIVE.exec(term);
  if (directive !== null) {
    const [, qualifier = '', mechanism = '', argument = ''] = directive;
    return readDirective(spf, (qualifier || '+') as SpfQualifier, mechanism.toLowerCase(), argument);
  }
  const modifier = MODIFIER.exec(term);
  if (modifier === null) return { ...spf, problem: 'The SPF record has a term that receivers do not know.' };
  const [, name = '', value = ''] = modifier;
  // Unknown modifiers are ignored (RFC 7208 6).
  if (name.toLowerCase() !== 'redirect') return spf;
  if (spf.redirect !== null || value === '')
    return { ...spf, problem: 'The SPF record has two redirects or an empty one.' };
  // A redirect only applies without `all` (RFC 7208 6.1), but always counts as a lookup.
  return { ...spf, redirect: value.toLowerCase(), lookups: spf.lookups + 1 };
}

function readDirective(spf: Spf, qualifier: SpfQualifier, mechanism: string, argument: string): Spf {
  if (!isArgument(mechanism, argument))
    return { ...spf, problem: `The SPF record has '${mechanism}' with an invalid argument.` };
  // Terms after `all` are never evaluated (RFC 7208 5.1).
  if (mechanism === 'all') return spf.all === null ? { ...spf, all: qualifier } : spf;
  return ASKING.has(mechanism) ? { ...spf, lookups: spf.lookups + 1 } : spf;
}

function isArgument(mechanism: string, argument: string): boolean {
  if (mechanism === 'all') return argument === '';
  if (mechanism === 'ip4') return IP4.test(argument);
  if (mechanism === 'ip6') return IP6.test(argument);
  if (NEEDS_DOMAIN.has(mechanism)) return /^:[\x21-\x7e]+$/.test(argument);
  return DOMAIN_SPEC.test(argument);
}
