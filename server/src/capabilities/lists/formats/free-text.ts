import { readDate } from './declared-date.ts';
import type { Entry, FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { LINE_TOO_LONG, lineParser } from './lines.ts';
import { withScheme } from './listed-name.ts';
import { UNSUPPORTED } from './not-listed.ts';

type FreeTextSpec = Extract<FormatSpec, { kind: 'free-text' }>;

/** A defanged value is meant as an indicator; a plain link is a reference. */
const DEFANGED = /[[({](?:\.|dot|:|:\/\/|\/\/|@|at)[\])}]|h(?:xx|tx|xt)ps?(?=[[:])/i;
const DIGEST = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;
const OTHER_DIGEST = /^(?:[0-9a-f]{56}|[0-9a-f]{96}|[0-9a-f]{128})$/i;
/** The start of a URL, also inside a word: `blob:hxxps[:]//`, `[text](hxxps[:]//`, `GetObject("hxxp[:]//`. */
const URL_START = /(?:h(?:tt|xx|tx|xt)ps?|f[tx]p)(?:\[:?\])?(?::|\[:\/\/\]|(?<=:\])\/\/)/i;
const URL_END = /["'`<>\u201d\u2019].*$|\]\(.*$/s;
/** `ns*.evil[.]com`, `<name>.evil[.]com`, `[redacted].evil[.]com` are placeholders. */
const PLACEHOLDER = /[*<>]|\[(?!dot\]|at\])[a-z]|[a-z](?<!\[dot|\[at)\]/i;
const BEFORE = '"\'`*<>(-\u2013\u2022\u201c\u2018\u200b';
const BEHIND = '"\'`*<>.,;:!?)\u201d\u2019\u200b';
const FILE_DATE = /^(\d{4}-\d{2}-\d{2})\b/;

/**
 * Notes written for people. Defanged values and digests are entries; all other text is prose and counts as a comment. A
 * note in an archive is the reference of its entries, and dates them if its name starts with a date.
 */
export function freeText(sink: Sink, _spec: FreeTextSpec): FormatParser {
  let facts: Omit<Entry, 'text'> = {};
  const parser = lineParser(
    (line) => {
      for (const word of line.split(/[\s|]+/)) readWord(word, facts, sink);
    },
    (start) => sink.rejected(LINE_TOO_LONG, start),
  );
  return {
    ...parser,
    member: (path) => {
      parser.member(path);
      const name = path.slice(path.lastIndexOf('/') + 1);
      const ms = readDate(FILE_DATE.exec(name)?.[1] ?? '');
      facts = { reference: name, ...(ms === null ? {} : { firstSeenMs: ms }) };
      if (ms !== null) sink.dataDate(ms);
    },
  };
}

function readWord(word: string, facts: Omit<Entry, 'text'>, sink: Sink): void {
  if (word.length < 4) return;
  // A URL may hold commas; elsewhere they separate words.
  const url = word.search(URL_START);
  const parts = url < 0 ? word.split(/[,;]+/) : [word.slice(url).replace(URL_END, '')];
  for (const part of parts) {
    const bare = withoutPunctuation(part);
    if (OTHER_DIGEST.test(bare)) sink.unsupported(UNSUPPORTED.otherDigest, bare);
    else if (DIGEST.test(bare)) sink.entry({ text: bare, ...facts });
    else if (!DEFANGED.test(bare)) continue;
    else if (PLACEHOLDER.test(bare)) sink.unsupported(UNSUPPORTED.wildcard, bare);
    else sink.entry({ text: url < 0 ? withScheme(bare) : bare.replace('[]:', ':'), ...facts });
  }
}

/** Strips bullets, brackets, quotes and the end of a sentence around the text; brackets inside are the defanging. */
function withoutPunctuation(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && BEFORE.includes(text.charAt(start))) start += 1;
  while (end > start && BEHIND.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
