import { HeaderDates } from './declared-date.ts';
import type { FormatParser, Sink } from './format.ts';
import { LINE_TOO_LONG, lineParser } from './lines.ts';

/**
 * The lines that say something, without the blanks around them. Comments are read for the publisher's date and else
 * left alone, an overlong line is rejected: what is left is the format's own business.
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
