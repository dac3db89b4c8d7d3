import { endsInQuotes, splitCsvLine } from './csv-line.ts';
import { HeaderDates } from './declared-date.ts';
import type { FormatParser, Sink } from './format.ts';
import { lineParser } from './lines.ts';
import { REJECTED } from './not-listed.ts';

/** The longest record of a real list has 53,014 characters: a driver with 50 digests in three cells. */
const RECORD_CHARS_MAX = 65_536;
const EXAMPLE_CHARS = 200;

/**
 * Records of a table, without comments (`#` at the start of a record). A quoted cell may span several lines. When it
 * does not end within the maximum length of a record, the quote was a mistake: its line is rejected and each following
 * line is read by itself, so that a stray quote costs one line and never the rest of the file.
 */
export function csvRecords(
  sink: Sink,
  delimiter: string,
  onRecord: (cells: readonly string[], record: string) => void,
  onComment: (comment: string) => void = () => undefined,
  onStart: () => void = () => undefined,
): FormatParser {
  let header = new HeaderDates(sink);
  let pending: string[] = [];
  let pendingChars = 0;

  /** False when the text ends inside a quoted cell. */
  const read = (text: string): boolean => {
    if (text.startsWith('#')) {
      header.comment(text);
      onComment(text);
      return true;
    }
    const cells = splitCsvLine(text, delimiter);
    if (cells === null) return false;
    if (cells.length === 1 && cells[0] === '') return true;
    header.isOpen = false;
    onRecord(cells, text);
    return true;
  };

  const readAlone = (text: string): void => {
    if (!read(text)) sink.rejected(REJECTED.openQuote, text.slice(0, EXAMPLE_CHARS));
  };

  const giveUp = (): void => {
    const [first = '', ...rest] = pending;
    pending = [];
    sink.rejected(REJECTED.openQuote, first.slice(0, EXAMPLE_CHARS));
    for (const text of rest) readAlone(text);
  };

  const goOn = (text: string): void => {
    pending.push(text);
    pendingChars += text.length + 1;
    if (pendingChars > RECORD_CHARS_MAX) giveUp();
    else if (!endsInQuotes(text, delimiter)) {
      const record = pending.join('\n');
      pending = [];
      readAlone(record);
    }
  };

  const flush = (): void => {
    if (pending.length > 0) giveUp();
  };

  const parser = lineParser(
    (text) => {
      if (pending.length > 0) goOn(text);
      else if (!read(text)) {
        pending = [text];
        pendingChars = text.length;
      }
    },
    (start) => {
      flush();
      sink.rejected(REJECTED.recordTooLong, start);
    },
    flush,
    RECORD_CHARS_MAX,
  );
  return {
    ...parser,
    member: (path) => {
      parser.member(path);
      flush();
      header = new HeaderDates(sink);
      onStart();
    },
  };
}
