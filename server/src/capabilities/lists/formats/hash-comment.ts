import type { FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { REJECTED } from './not-listed.ts';
import { statementLines } from './statement-lines.ts';

type HashCommentSpec = Extract<FormatSpec, { kind: 'hash-comment' }>;

/** `digest;comment`, one per line; the comment becomes the reference. */
export function hashComment(sink: Sink, _spec: HashCommentSpec): FormatParser {
  return statementLines(
    sink,
    (text) => text.startsWith('#'),
    (text) => {
      const semicolon = text.indexOf(';');
      const digest = (semicolon < 0 ? text : text.slice(0, semicolon)).trim();
      const comment = semicolon < 0 ? '' : text.slice(semicolon + 1).trim();
      if (digest === '' || /\s/.test(digest)) sink.rejected(REJECTED.digestLine, text);
      else sink.entry(comment === '' ? { text: digest } : { text: digest, reference: comment });
    },
  );
}
