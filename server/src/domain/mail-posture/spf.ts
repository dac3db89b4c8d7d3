/** What a domain says about who may send for it (RFC 7208). */
export type Spf = {
  readonly text: string;
  /** Why receivers do not use the record (permerror), or null. */
  readonly problem: string | null;
  /** What becomes of senders that nothing else names; null when the record does not say. */
  readonly all: SpfQualifier | null;
  /** Terms of this record that cost a receiver a question (4.6.4), those of included records not counted. */
  readonly lookups: number;
  /** Where the rest of the policy stands when the record has no `all`. */
  readonly redirect: string | null;
};
export type SpfQualifier = '+' | '-' | '~' | '?';

/** 4.6.4: one more, and receivers stop with an error. */
const LOOKUPS_MAX = 10;
/** No record comes near; longer ones are not read further. */
const TERMS_MAX = 500;
const RECORD = /^v=spf1(?: |$)/i;
const DIRECTIVE = /^([+\-~?]?)(all|include|a|mx|ptr|ip4|ip6|exists)(?=$|[:/])(.*)$/i;
const MODIFIER = /^([a-z][\w.-]*)=(.*)$/i;
const ASKING = new Set(['include', 'a', 'mx', 'ptr', 'exists']);
const NEEDS_DOMAIN = new Set(['include', 'exists']);
const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const IP4 = new RegExp(`^:${OCTET}(?:\\.${OCTET}){3}(?:/(?:3[0-2]|[12]?\\d))?$`);
const IP6 = /^:(?=[^/]*:)[\da-f:.]{2,45}(?:\/(?:12[0-8]|1[01]\d|[1-9]?\d))?$/i;
/** A domain with macros allowed (7.1), then the masks of both families. */
const DOMAIN_SPEC = /^(?::[\x21-\x2e\x30-\x7e]+)?(?:\/\d{1,2})?(?:\/\/\d{1,3})?$/;

/** Among the TXT records of a name; null when none of them is an SPF record. Two are as good as none (4.5). */
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
    return { ...spf, problem: `The SPF record asks ${spf.lookups} questions of its own; 10 are allowed.` };
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
  // 6: what is unknown is passed over.
  if (name.toLowerCase() !== 'redirect') return spf;
  if (spf.redirect !== null || value === '')
    return { ...spf, problem: 'The SPF record redirects twice or nowhere.' };
  // 6.1: it only matters where nothing says `all`; it counts as a question all the same.
  return { ...spf, redirect: value.toLowerCase(), lookups: spf.lookups + 1 };
}

function readDirective(spf: Spf, qualifier: SpfQualifier, mechanism: string, argument: string): Spf {
  if (!isArgument(mechanism, argument))
    return { ...spf, problem: `The SPF record has '${mechanism}' with something that cannot follow it.` };
  // 5.1: what stands after `all` is never reached.
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
