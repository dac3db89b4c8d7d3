import type { Cell, LearnedTable, ListRecord } from './learned-table.ts';

/**
 * The one text of a table: fields in a fixed order, cells by source and group, lists by source, platforms by suffix. Equal
 * tables have equal bytes, so a digest of the text names the content.
 */
export function textOfTable(table: LearnedTable): string {
  const { version, model, learnedAt, base, reference } = table;
  const { id, hosts, shipped, scale } = reference;
  return `${JSON.stringify({
    version,
    model,
    learnedAt,
    base,
    reference: { id, hosts, shipped, scale },
    cells: table.cells.map(cellOf).sort(by(({ source, group }) => `${source} ${group}`)),
    lists: table.lists.map(listOf).sort(by(({ source }) => source)),
    platforms: table.platforms.map(({ suffix, size }) => ({ suffix, size })).sort(by(({ suffix }) => suffix)),
  })}\n`;
}

const cellOf = ({ source, group, n, h, f, points, nights, asked, gone }: Cell) => ({
  source,
  group,
  n,
  h,
  f,
  points,
  nights,
  asked,
  gone: gone && { n: gone.n, h: gone.h },
});

const listOf = (list: ListRecord) => ({
  source: list.source,
  lineage: list.lineage,
  category: list.category,
  class: list.class,
  declared: list.declared,
  share: list.share,
  judged: list.judged,
  r30: list.r30,
  back30: list.back30,
  asked: list.asked && { class: list.asked.class, nights: list.asked.nights },
  topHits: list.topHits,
  alarm: list.alarm,
});

const by =
  <T>(nameOf: (each: T) => string) =>
  (a: T, b: T): number =>
    nameOf(a) < nameOf(b) ? -1 : 1;
