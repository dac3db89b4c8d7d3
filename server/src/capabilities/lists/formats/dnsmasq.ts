import type { FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { isLocalName, withoutTrailingComment, withoutWildcard } from './listed-name.ts';
import { REJECTED, UNSUPPORTED } from './not-listed.ts';
import { statementLines } from './statement-lines.ts';

type DnsmasqSpec = Extract<FormatSpec, { kind: 'dnsmasq' }>;

const DIRECTIVE = /^(?:--)?([a-z][a-z0-9-]*)(?:\s*=\s*(.*))?$/i;
const BLOCKING = /^(?:address|local)$/i;

/** `address=/name/[name/...]0.0.0.0`, `local=/name/`, `server=/name/`: a name that is answered locally is blocked. */
export function dnsmasqConf(sink: Sink, _spec: DnsmasqSpec): FormatParser {
  return statementLines(
    sink,
    (text) => text.startsWith('#'),
    (text) => readDirective(withoutTrailingComment(text), sink),
  );
}

function readDirective(line: string, sink: Sink) {
  const [, name = '', value = ''] = DIRECTIVE.exec(line) ?? [];
  if (name === '') return sink.rejected(REJECTED.noStatement, line);
  const isServer = /^server$/i.test(name);
  if (!value.startsWith('/') || !(isServer || BLOCKING.test(name)))
    return sink.unsupported(UNSUPPORTED.directive, line);
  const names = value.slice(1).split('/');
  const target = names.length > 1 ? names.pop() : '';
  // `server=/name/#` forwards the name to the usual servers, `server=/name/address` to that server.
  if (isServer && target !== '')
    return sink.unsupported(target === '#' ? UNSUPPORTED.exception : UNSUPPORTED.forwarding, line);
  for (const listed of names) putName(listed.trim(), line, sink);
}

function putName(name: string, line: string, sink: Sink) {
  if (name === '#' || name === '*') sink.unsupported(UNSUPPORTED.wildcard, line);
  else if (name === '') sink.rejected(REJECTED.noStatement, line);
  else if (isLocalName(name)) sink.unsupported(UNSUPPORTED.localName, name);
  else sink.entry({ text: withoutWildcard(name) });
}
