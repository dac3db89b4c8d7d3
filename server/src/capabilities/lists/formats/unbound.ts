import type { FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { isLocalName, withoutTrailingComment, withoutWildcard } from './listed-name.ts';
import { REJECTED, UNSUPPORTED } from './not-listed.ts';
import { statementLines } from './statement-lines.ts';

type UnboundSpec = Extract<FormatSpec, { kind: 'unbound' }>;

const CLAUSE = /^[a-z][a-z-]*:$/i;
const LOCAL_ZONE = /^local-zone:\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))\s+"?([a-z_]+)"?$/i;
const LOCAL_DATA = /^local-data:\s*(?:["']\s*)?([^\s"']+)\s/i;
const ATTRIBUTE = /^[a-z][a-z0-9-]*:\s*\S/i;
/** Zone types that answer as if the zone did not exist. */
const LETS_THROUGH = /transparent$|^nodefault$/i;

/** `local-zone: "name" always_nxdomain` and the like, and `local-data: "name A 0.0.0.0"`. */
export function unboundConf(sink: Sink, _spec: UnboundSpec): FormatParser {
  return statementLines(
    sink,
    // A line such as `server:` only opens a clause, so it is skipped like a comment.
    (text) => text.startsWith('#') || CLAUSE.test(text),
    (text) => readAttribute(withoutTrailingComment(text), sink),
  );
}

function readAttribute(line: string, sink: Sink) {
  const zone = LOCAL_ZONE.exec(line);
  if (zone !== null) {
    if (LETS_THROUGH.test(zone[4] ?? '')) return sink.unsupported(UNSUPPORTED.exception, line);
    return putName(zone[1] ?? zone[2] ?? zone[3] ?? '', line, sink);
  }
  const data = LOCAL_DATA.exec(line);
  if (data !== null) return putName(data[1] ?? '', line, sink);
  if (ATTRIBUTE.test(line) && !/^local-(?:zone|data):/i.test(line))
    return sink.unsupported(UNSUPPORTED.directive, line);
  sink.rejected(REJECTED.noStatement, line);
}

function putName(text: string, line: string, sink: Sink) {
  const name = withoutWildcard(text.trim());
  if (name === '' || name === '.') sink.unsupported(UNSUPPORTED.directive, line);
  else if (isLocalName(name.replace(/\.$/, ''))) sink.unsupported(UNSUPPORTED.localName, line);
  else sink.entry({ text: name });
}
