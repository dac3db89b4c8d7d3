import { type FormatParser, LINE_CHARS_MAX, type Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { LINE_TOO_LONG } from './lines.ts';
import { withoutWildcard } from './listed-name.ts';
import { REJECTED, UNSUPPORTED } from './not-listed.ts';
import { statementLines } from './statement-lines.ts';
import { parseSuricataRule, type SuricataRule } from './suricata-rule.ts';

type SuricataSpec = Extract<FormatSpec, { kind: 'suricata' }>;

/** A part of a host (`evil`, `login.`) is not a host. */
const isWholeHost = (text: string): boolean =>
  text.indexOf('.') > 0 && !text.endsWith('.') && !/[\s/]/.test(text);

/** Suricata and Snort rules. A commented-out rule is a comment; a backslash at the end of a line continues the rule. */
export function suricataRules(sink: Sink, _spec: SuricataSpec): FormatParser {
  let begun = '';
  const read = (text: string) => {
    const line = begun === '' ? text : `${begun} ${text}`;
    begun = '';
    if (line.length > LINE_CHARS_MAX) sink.rejected(LINE_TOO_LONG, line.slice(0, 200));
    else if (line.endsWith('\\')) begun = line.slice(0, -1).trimEnd();
    else readRule(line, sink);
  };
  return statementLines(
    sink,
    (text) => begun === '' && text.startsWith('#'),
    read,
    () => {
      if (begun !== '') read('');
    },
  );
}

function readRule(line: string, sink: Sink) {
  if (/^(?:var|ipvar|portvar|config|include)\s/i.test(line))
    return sink.unsupported(UNSUPPORTED.directive, line);
  const rule = parseSuricataRule(line);
  if (rule === null) return sink.rejected(REJECTED.noRule, line);
  if (rule.action === 'pass') return sink.unsupported(UNSUPPORTED.exception, line);
  const names = namesOf(rule);
  const texts = [...rule.addresses, ...(names ?? [])];
  if (texts.length === 0)
    sink.unsupported(names === null ? UNSUPPORTED.otherContent : UNSUPPORTED.noName, line);
  const { reference, family } = rule;
  for (const text of texts)
    sink.entry({
      text,
      ...(reference === undefined ? {} : { reference }),
      ...(family === undefined ? {} : { family }),
    });
}

/**
 * The hosts of the rule; null when it also requires other content: a rule for one page of a file sharing site does not
 * list the site. A host and one path make a URL.
 */
function namesOf(rule: SuricataRule): readonly string[] | null {
  const of = (buffer: string) => rule.contents.filter((content) => content.buffer === buffer);
  const hosts = of('host').map((content) => withoutWildcard(content.text.trim()));
  if (hosts.length === 0) return isDns(rule) ? wireNames(rule) : [];
  if (rule.hasPattern || of('other').length > 0 || of('payload').length > 0) return null;
  if (!hosts.every(isWholeHost)) return [];
  const uris = of('uri');
  if (uris.length === 0) return hosts;
  const [host] = hosts;
  const [uri] = uris;
  const isPage = hosts.length === 1 && uris.length === 1 && uri?.text.startsWith('/') === true;
  return isPage ? [`http://${host}${uri?.text}`] : null;
}

const isDns = (rule: SuricataRule): boolean => /^(?:dns|udp|tcp)$/.test(rule.protocol) && !rule.hasPattern;

/** Older rules search for the name in wire format: `|04|evil|03|com|00|`, with a length before each label. */
const wireNames = (rule: SuricataRule): readonly string[] =>
  rule.contents.flatMap((content) => {
    const name = content.buffer === 'payload' ? wireName(content.text) : null;
    return name === null ? [] : [name];
  });

function wireName(bytes: string): string | null {
  const labels: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const length = bytes.charCodeAt(at);
    if (length === 0) break;
    const label = bytes.slice(at + 1, at + 1 + length);
    if (label.length !== length || !/^[\w-]{1,63}$/.test(label)) return null;
    labels.push(label);
    at += 1 + length;
  }
  return labels.length >= 2 ? labels.join('.') : null;
}
