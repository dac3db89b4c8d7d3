import type { FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { withoutTrailingComment } from './listed-name.ts';
import { REJECTED, UNSUPPORTED } from './not-listed.ts';
import { statementLines } from './statement-lines.ts';

type UblacklistSpec = Extract<FormatSpec, { kind: 'ublacklist' }>;

const PATTERN = /^(\*|https?|ftp|file|wss?|data):\/\/([^/]*)(\/.*)?$/i;
/** A name with a dot inside. The first part holds no further dot, so that there is one way to match. */
const NAME_LINE = /^[^\s/*@#][^\s/*@#.]*\.[^\s/*@#]+$/;
/** `/ads/`, `title/ads/`, and the expressions of later versions: `$site="x"`, `url*="x"`. */
const EXPRESSION = /^(?:\/|\$?[a-z]+\s*[~^$*!]?=|\$?[a-z]+\/)/i;

/** Match patterns: `*://*.name/*` blocks a name, `*://name/path` a page. */
export function ublacklist(sink: Sink, _spec: UblacklistSpec): FormatParser {
  let isFrontMatter = false;
  let isFirst = true;
  return statementLines(
    sink,
    (text) => {
      // YAML between two `---` lines at the top of the file names the list.
      if (text === '---' && (isFirst || isFrontMatter)) {
        isFrontMatter = !isFrontMatter;
        isFirst = false;
        return true;
      }
      const isComment = text.startsWith('#') || isFrontMatter;
      if (!isComment) isFirst = false;
      return isComment;
    },
    (text) => readRule(withoutTrailingComment(text), sink),
  );
}

function readRule(rule: string, sink: Sink) {
  if (/^@\d/.test(rule)) return sink.unsupported(UNSUPPORTED.highlight, rule);
  if (rule.startsWith('@')) return sink.unsupported(UNSUPPORTED.exception, rule);
  const found = PATTERN.exec(rule);
  if (found !== null) return readPattern(found, rule, sink);
  if (rule === '<all_urls>') return sink.unsupported(UNSUPPORTED.wildcard, rule);
  if (NAME_LINE.test(rule)) return sink.entry({ text: rule });
  if (EXPRESSION.test(rule)) return sink.unsupported(UNSUPPORTED.regex, rule);
  sink.rejected(REJECTED.noRule, rule);
}

function readPattern(found: RegExpExecArray, rule: string, sink: Sink) {
  const [, scheme = '*', hostPattern = '', path = '/*'] = found;
  const host = hostPattern.startsWith('*.') ? hostPattern.slice(2) : hostPattern;
  if (host === '' || host.includes('*')) return sink.unsupported(UNSUPPORTED.wildcard, rule);
  if (path === '/*' || path === '/') return sink.entry({ text: host });
  // A page of every host below a name, or every page below a path, is more than one page.
  if (path.includes('*') || host !== hostPattern) return sink.unsupported(UNSUPPORTED.wildcard, rule);
  sink.entry({ text: `${scheme === '*' ? 'http' : scheme}://${host}${path}` });
}
