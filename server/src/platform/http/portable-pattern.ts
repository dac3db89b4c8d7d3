/**
 * Escapes that JavaScript and Python read the same. Validators of JSON Schema compile patterns with the flag `u`, which
 * allows a backslash before letters of this list and before signs that mean something.
 */
const ESCAPE = /^\\(?:[dDwWsSbBfnrtv0]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[$()*+./?[\\\]^{|}-])/;
/** Groups that both read; Python spells names differently and wants lookbehinds of one length. */
const GROUP = /^\((?!\?)|^\(\?[:=!]/;
/** Classes that are empty or begin with their own end. */
const EMPTY_CLASS = /^\[\^?\]/;

/**
 * The source of a regular expression as a description may carry it: readers in JavaScript and Python compile it, and it
 * has no flag but `u`, because `pattern` has no place for flags. Throws where a reader would refuse it or read another rule.
 */
export function portableSource({ source, flags }: Pick<RegExp, 'source' | 'flags'>): string {
  if (flags.replace('u', '') !== '')
    throw new Error(`A description has no flags: write /${source}/${flags} without them.`);
  const fault = faultOf(source);
  if (fault !== null) throw new Error(`/${source}/ has '${fault}', which not every reader of OpenAPI knows.`);
  return source;
}

function faultOf(source: string): string | null {
  let isInClass = false;
  for (let at = 0; at < source.length; at += 1) {
    const rest = source.slice(at);
    const [sign] = rest;
    if (sign === '\\') {
      const [whole] = ESCAPE.exec(rest) ?? [];
      if (whole === undefined) return rest.slice(0, 3);
      at += whole.length - 1;
    } else if (isInClass) {
      if (sign === '[') return rest.slice(0, 3);
      isInClass = sign !== ']';
    } else if (sign === '[') {
      if (EMPTY_CLASS.test(rest)) return rest.slice(0, 3);
      isInClass = true;
    } else if (sign === '(' && !GROUP.test(rest)) return rest.slice(0, 4);
  }
  return null;
}
