import { readDate } from './declared-date.ts';
import type { Entry, FormatParser, Sink } from './format.ts';
import { LINE_TOO_LONG, lineParser } from './lines.ts';

const EXAMPLE_CHARS = 80;
const CELLS_MAX = 32;
const REASONS = {
  noDigest: 'A row of the table without a digest.',
  prose: 'Text outside a table.',
} as const;
const RULE_ROW = /^[\s|:-]+$/;
const LINK = /^\[([^\]]*)\]\([^)]*\)$/;
const DIGEST = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;
/** A digest or a name on a line of its own, below a heading such as `MD5:`. */
const BARE = /^(?:[0-9a-f]{32,64}|[\w-]+(?:\.[\w-]+)+)$/i;
/** `group/group_hash.md`. */
const FILE_END = /(?:_hash)?\.md$/i;
const HEADING = {
  hash: /^(?:hash|md5|sha-?1|sha-?256)$/i,
  family: /^family$/i,
  firstSeen: /^first[_ ]?seen$/i,
};

type Columns = { readonly family: number; readonly firstSeen: number };
const NO_COLUMNS: Columns = { family: -1, firstSeen: -1 };

/** Markdown tables with a digest, often as a link, in each row; one file per group of attackers. */
export function markdownDigests(sink: Sink): FormatParser {
  let group: string | undefined;
  let columns = NO_COLUMNS;

  const onRow = (line: string): void => {
    const cells = cellsOf(line);
    if (cells.some((cell) => HEADING.hash.test(cell))) {
      columns = columnsOf(cells);
      return;
    }
    const digests = cells
      .map((cell) => LINK.exec(cell)?.[1]?.trim() ?? cell)
      .filter((cell, at) => {
        return at !== columns.family && DIGEST.test(cell);
      });
    const [digest] = digests;
    if (digest === undefined) sink.rejected(REASONS.noDigest, line.slice(0, EXAMPLE_CHARS));
    else sink.entry(entryOf(digest, cells, columns, group));
  };
  const onLine = (raw: string): void => {
    const line = raw.trim();
    if (line === '' || RULE_ROW.test(line)) return;
    if (line.startsWith('|')) onRow(line);
    else if (BARE.test(line))
      sink.entry(group === undefined ? { text: line } : { text: line, family: group });
    else sink.unsupported(REASONS.prose, line.slice(0, EXAMPLE_CHARS));
  };

  const lines = lineParser(onLine, (start) => sink.rejected(LINE_TOO_LONG, start.slice(0, EXAMPLE_CHARS)));
  return {
    member: (path) => {
      lines.member(path);
      group = path.slice(path.lastIndexOf('/') + 1).replace(FILE_END, '') || undefined;
      columns = NO_COLUMNS;
    },
    write: lines.write,
    end: lines.end,
  };
}

/** The cells of a row. Bars beyond the last column are part of a file name, which is not read. */
const cellsOf = (line: string): readonly string[] =>
  line
    .replace(/^\||\|$/g, '')
    .split('|', CELLS_MAX)
    .map((cell) => cell.trim());

const columnsOf = (cells: readonly string[]): Columns => ({
  family: cells.findIndex((cell) => HEADING.family.test(cell)),
  firstSeen: cells.findIndex((cell) => HEADING.firstSeen.test(cell)),
});

function entryOf(text: string, cells: readonly string[], columns: Columns, group: string | undefined): Entry {
  const family = cells[columns.family] || group;
  const firstSeenMs = readDate(cells[columns.firstSeen] ?? '');
  return {
    text,
    ...(family === undefined ? {} : { family }),
    ...(firstSeenMs === null ? {} : { firstSeenMs }),
  };
}
