import { HeaderDates } from './declared-date.ts';
import type { FormatParser, Sink } from './format.ts';
import { LINE_TOO_LONG, lineParser } from './lines.ts';

/**
 * The lines with a statement, trimmed. Comments are searched for the publisher's date and then dropped, overlong lines
 * are rejected; the format reads the rest.
 */
export function statementLines(
  sink: Sink,
  isComment: (text: string) => boolean,
  onStatement: (text: string) => void,
  onEnd?: () => void,
): FormatParser {
  const header = new HeaderDates(sink);
  return lineParser(
    (line) => {
      const text = line.trim();
      if (text === '') return;
      if (isComment(text)) {
        header.comment(text);
        return;
      }
      header.isOpen = false;
      onStatement(text);
    },
    (start) => sink.rejected(LINE_TOO_LONG, start),
    onEnd,
  );
}
