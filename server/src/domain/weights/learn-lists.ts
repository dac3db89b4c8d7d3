import type { Cell, LearnedTable, ListRecord } from './learned-table.ts';
import type { Learning, SourceCount } from './learning.ts';
import { back30Of, r30Of, settleClass, TURNOVER_MIN, type Turnover } from './list-class.ts';
import { sixDigits } from './six-digits.ts';
import { shareOfAll } from './source-shares.ts';
import { alarmFor } from './top-list-alarm.ts';

type Records = ReadonlyMap<string, ListRecord>;
type Known = { readonly shipped: Records; readonly before: Records; readonly inForce: Records };

/** What is known of each source as a whole; `cells` are null where no own reference was counted. */
export function learnLists(given: Learning, cells: readonly Cell[] | null): readonly ListRecord[] {
  const known: Known = {
    shipped: recordsOf(given.shipped),
    before: recordsOf(given.before),
    inForce: recordsOf(given.inForce),
  };
  const learned = given.counts.map((count) => learnList(count, given, { ...known, cells }));
  const counted = new Set(learned.map(({ source }) => source));
  const others = given.shipped.lists.filter(({ source }) => !counted.has(source));
  return [...learned, ...others].sort((a, b) => (a.source < b.source ? -1 : 1));
}

const recordsOf = (table: LearnedTable | null): Records =>
  new Map(table?.lists.map((list) => [list.source, list]));

function learnList(
  count: SourceCount,
  { shipped }: Learning,
  { cells, ...known }: Known & { readonly cells: readonly Cell[] | null },
): ListRecord {
  const { source, topHits } = count;
  const last = known.before.get(source.id) ?? known.shipped.get(source.id);
  const own = cells?.filter((cell) => cell.source === source.id) ?? [];
  const share =
    own.length > 0
      ? sixDigits(shareOfAll(own, source))
      : (known.shipped.get(source.id)?.share ?? sixDigits(shareOfAll([], source)));
  const measured = measure(count, last);
  const alarm = cells === null ? alarmFor(count, shipped) : 1;
  const { r30 } = measured.isNew ? measured : { r30: null };
  return {
    source: source.id,
    lineage: source.lineage ?? source.id,
    category: source.category,
    ...classOf(count, { r30, share }, known, last),
    share,
    judged: measured.judged,
    r30: measured.r30 === null ? null : fourPlaces(measured.r30),
    back30: measured.back30 === null ? null : fourPlaces(measured.back30),
    ...(topHits > 0 && { topHits }),
    ...(alarm > 1 && { alarm: sixDigits(alarm) }),
  };
}

function classOf(
  { source }: SourceCount,
  measured: Parameters<typeof settleClass>[1],
  { inForce, shipped }: Known,
  last: ListRecord | undefined,
): Pick<ListRecord, 'class' | 'declared' | 'asked'> {
  if (source.semantics === 'archive' || source.keepsEntries) return { class: 'keeps', declared: true };
  const now = inForce.get(source.id) ?? shipped.get(source.id);
  const asked = last?.asked;
  return settleClass({ class: now?.class ?? 'unknown', ...(asked && { asked }) }, measured);
}

/** Names decide where enough of them were judged, else all entries of the source; a figure of an earlier night stays. */
function measure({ turnover }: SourceCount, last: ListRecord | undefined) {
  const young = turnover && chosen(turnover, ({ judged }) => judged);
  const ended = turnover && chosen(turnover, (each) => each.ended);
  const r30 = young && r30Of(young);
  const back30 = ended && back30Of(ended);
  return {
    isNew: r30 !== null,
    judged: r30 !== null && young !== null ? young.judged : (last?.judged ?? 0),
    r30: r30 ?? last?.r30 ?? null,
    back30: back30 ?? last?.back30 ?? null,
  };
}

const chosen = (
  { names, all }: NonNullable<SourceCount['turnover']>,
  of: (turnover: Turnover) => number,
): Turnover => (of(names) >= TURNOVER_MIN ? names : all);

const fourPlaces = (share: number): number => Math.round(share * 10_000) / 10_000;
