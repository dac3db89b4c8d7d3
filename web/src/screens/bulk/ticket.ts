import { exact, plural } from '../../words/numbers.ts';
import { absoluteTime } from '../../words/time.ts';
import { DECISION_WORDS, type Decision } from './decision.ts';
import { seenOf, type TriageRow } from './triage-view.ts';

const CAUSES_TOLD_MAX = 5;
/** A ticket names at most this many values, because people read it; the CSV export has the whole list. */
export const VALUES_TOLD_MAX = 50;

export type TicketOf = {
  readonly decision: Decision;
  readonly rows: readonly TriageRow[];
  /** The line of `sumLine`, which accounts for everything pasted. */
  readonly sum: string;
  readonly nowMs: number;
  /** Ticket systems turn text into links, so values are written defanged. */
  readonly defang: (entity: string) => string;
};

/** A short text for a ticket: the counts, the most frequent causes, and the values, defanged. */
export function ticketOf({ decision, rows, sum, nowMs, defang }: TicketOf): string {
  const more = rows.length - VALUES_TOLD_MAX;
  const lines = [
    `${DECISION_WORDS[decision].title}: ${plural(rows.length, 'indicator')}. ${DECISION_WORDS[decision].why}`,
    `Verdicts: ${frequent(rows.map(({ verdict }) => verdict.word))}.`,
    ...frequentLine(
      'Causes',
      rows.flatMap(({ row }) => row.categories),
    ),
    ...frequentLine(
      'Families',
      rows.flatMap(({ row }) => row.malwareFamily ?? []),
    ),
    ...rows.slice(0, VALUES_TOLD_MAX).map((row) => `- ${valueLine(row, defang)}`),
    ...(more > 0 ? [`and ${exact(more)} more, in the CSV.`] : []),
    `Checked with Assay. ${sum}. Copied ${absoluteTime(nowMs, 'utc')}.`,
  ];
  return `${lines.map(oneLine).join('\n')}\n`;
}

function valueLine(triage: TriageRow, defang: (entity: string) => string): string {
  const { row, verdict } = triage;
  const seen = seenOf(triage);
  return [
    `${defang(row.entity)}: ${verdict.word}`,
    ...(row.error === null ? [] : [row.error]),
    ...row.categories,
    ...(row.malwareFamily === undefined ? [] : [row.malwareFamily]),
    ...(row.asn === undefined ? [] : [`AS${row.asn} ${row.asnName ?? ''}`.trim()]),
    ...(row.countryCode === undefined ? [] : [row.countryCode]),
    ...(seen === undefined ? [] : [`${row.lastSeen === undefined ? 'listed since' : 'seen'} ${seen}`]),
  ].join(', ');
}

const frequentLine = (title: string, words: readonly string[]): readonly string[] =>
  words.length === 0 ? [] : [`${title}: ${frequent(words)}.`];

/** "c2 14, phishing 9 and 3 more", the most frequent first. */
function frequent(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  const told = sorted.slice(0, CAUSES_TOLD_MAX).map(([word, count]) => `${word} ${exact(count)}`);
  const more = sorted.length - CAUSES_TOLD_MAX;
  return told.join(', ') + (more > 0 ? ` and ${exact(more)} more` : '');
}

/** Names of families and networks are third-party text: line breaks and invisible characters are removed. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
