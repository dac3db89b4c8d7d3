import type { FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { isLocalName, startsComment, withoutWildcard } from './listed-name.ts';
import { REJECTED, UNSUPPORTED } from './not-listed.ts';
import { wordsOf } from './plain-list.ts';
import { statementLines } from './statement-lines.ts';

type HostsSpec = Extract<FormatSpec, { kind: 'hosts' }>;

/** Enough to tell the address column from a name: `::1`, `fe80::1%lo0`, `0.0.0.0`. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|0|[0-9a-f]*:[0-9a-f:.]*(?:%\S*)?)$/i;

/** `0.0.0.0 name [name...]`. A bare name is an entry too: several "hosts files" have no address column. */
export function hostsFile(sink: Sink, _spec: HostsSpec): FormatParser {
  return statementLines(sink, startsComment, (text) => hostsNames(sink, text));
}

export function hostsNames(sink: Sink, text: string) {
  const [first = '', ...names] = wordsOf(text);
  if (names.length === 0) return putName(sink, first);
  if (!ADDRESS.test(first)) return sink.rejected(REJECTED.noStatement, text);
  for (const name of names) putName(sink, name);
}

function putName(sink: Sink, name: string) {
  if (isLocalName(name)) sink.unsupported(UNSUPPORTED.localName, name);
  else sink.entry({ text: withoutWildcard(name) });
}
