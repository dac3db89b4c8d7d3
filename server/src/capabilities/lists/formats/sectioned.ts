import { HeaderDates } from './declared-date.ts';
import type { FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { LINE_TOO_LONG, lineParser } from './lines.ts';
import { withoutWildcard } from './listed-name.ts';
import { wordsOf } from './plain-list.ts';

type SectionedSpec = Extract<FormatSpec, { kind: 'sectioned' }>;

const REFERENCE_CHARS_MAX = 1_024;
const HAS_WORD = /[\p{L}\p{N}]/u;

/**
 * Comments that explain the entries after them: adjacent comment lines are one explanation, valid until the next one. A
 * blank line after comments ends an explanation without entries, such as the head of the file.
 */
export function sectionedList(sink: Sink, _spec: SectionedSpec): FormatParser {
  const header = new HeaderDates(sink);
  let section = '';
  let isOpen = false;
  const comment = (text: string): void => {
    header.comment(text);
    const words = text.replace(/^#+/, '').trim();
    if (!HAS_WORD.test(words)) return;
    section = isOpen && section !== '' ? `${section} ${words}` : words;
    section = section.slice(0, REFERENCE_CHARS_MAX);
    isOpen = true;
  };
  const entry = (text: string): void => {
    header.isOpen = false;
    isOpen = false;
    const [first = ''] = wordsOf(text);
    // `address;65`: some publishers append a score to the entry.
    const semicolon = first.includes('://') ? -1 : first.indexOf(';');
    const listed = withoutWildcard(semicolon < 0 ? first : first.slice(0, semicolon));
    sink.entry(section === '' ? { text: listed } : { text: listed, reference: section });
  };
  return lineParser(
    (line) => {
      const text = line.trim();
      if (text.startsWith('#')) comment(text);
      else if (text !== '') entry(text);
      else if (isOpen) {
        isOpen = false;
        section = '';
      }
    },
    (start) => sink.rejected(LINE_TOO_LONG, start),
  );
}
