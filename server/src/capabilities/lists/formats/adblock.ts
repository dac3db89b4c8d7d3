import type { FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { hostsNames } from './hosts.ts';
import { isSinkAddress } from './listed-name.ts';
import { UNSUPPORTED } from './not-listed.ts';
import { statementLines } from './statement-lines.ts';

type AdblockSpec = Extract<FormatSpec, { kind: 'adblock' }>;

/** `||host^`, the form of nearly every line; matched first, because it needs no further parsing. */
const WHOLE_HOST = /^\|\|([0-9a-z][0-9a-z._-]*[0-9a-z])\^$/i;
/** `! text`, `# text`, `#`, and the `[Adblock Plus 2.0]` line. `##` and `#@#` start a cosmetic rule. */
const COMMENT = /^(?:!|#(?![#@?$%])|\[[^\]]*\]$)/;
const COSMETIC = /#@?[?$%]?[?$%]?#|\$\$|\$@\$/;
const REGEX_RULE = /^\/.*\/$/;
/** Adblock reads everything after the last `$` as options when it looks like options, because paths may hold a `$`. */
const OPTIONS = /\$(~?[\w-]+(?:=[^,$]*)?(?:,~?[\w-]+(?:=[^,$]*)?)*)$/;
/** Options that leave the rule about the whole host or page. Any other option narrows it to some pages or requests. */
const HARMLESS_OPTION = /^(?:all|document|doc|important|third-party|3p|popup|_+)$/;
const ENDS_ANYWHERE = /(?:\^?\*?\|?)$/;
const HAS_SCHEME = /^(?:https?|hxxps?|ftp):\/\//i;
const ASCII_HOST = /^\w[\w.-]*$/;
/** Letters beyond ASCII are allowed, because lists hold names that were never converted to A-labels. */
const HOST = /^(?:[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/iu;

/** AdGuard, uBlock and Adblock Plus lists. Rules that block a whole host or page are entries. */
export function adblockList(sink: Sink, _spec: AdblockSpec): FormatParser {
  return statementLines(
    sink,
    (text) => COMMENT.test(text),
    (text) => {
      const whole = WHOLE_HOST.exec(text)?.[1];
      if (whole === undefined) readRule(text, sink);
      else sink.entry({ text: whole });
    },
  );
}

function readRule(rule: string, sink: Sink) {
  if (rule.startsWith('@@')) return sink.unsupported(UNSUPPORTED.exception, rule);
  const blank = rule.search(/\s/);
  if (blank > 0 && isSinkAddress(rule.slice(0, blank))) return hostsNames(sink, rule);
  const options = OPTIONS.exec(rule);
  const pattern = options === null ? rule : rule.slice(0, options.index);
  if (REGEX_RULE.test(pattern)) return sink.unsupported(UNSUPPORTED.regex, rule);
  if (COSMETIC.test(rule)) return sink.unsupported(UNSUPPORTED.cosmetic, rule);
  if (options !== null && !(options[1] ?? '').split(',').every((option) => HARMLESS_OPTION.test(option)))
    return sink.unsupported(UNSUPPORTED.conditional, rule);
  readPattern(pattern, rule, sink);
}

function readPattern(pattern: string, rule: string, sink: Sink) {
  const anchors = pattern.startsWith('||') ? 2 : pattern.startsWith('|') ? 1 : 0;
  let text = pattern.slice(anchors).replace(ENDS_ANYWHERE, '');
  if (text.startsWith('*.')) text = text.slice(2);
  else if (text.startsWith('.')) text = text.slice(1);
  if (/[*^|]/.test(text)) return sink.unsupported(UNSUPPORTED.wildcard, rule);
  if (HAS_SCHEME.test(text)) return sink.entry({ text });
  const end = text.search(/[/?]/);
  const host = end < 0 ? text : text.slice(0, end);
  if (
    !(ASCII_HOST.test(host) || HOST.test(host)) ||
    (anchors === 0 && !host.includes('.') && !host.startsWith('['))
  )
    return sink.unsupported(UNSUPPORTED.noHost, rule);
  // `||evil.` matches every suffix; `||evil.com.^` is a name with the root's dot.
  if (end < 0 && host.endsWith('.') && !pattern.endsWith('^'))
    return sink.unsupported(UNSUPPORTED.wildcard, rule);
  sink.entry({ text: end < 0 || text.length === end + 1 ? host : `http://${text}` });
}
