import type { LearnReport } from '#capabilities/weights/index.ts';
import {
  AGE_GROUPS,
  type AgeGroup,
  type Cell,
  classChanges,
  type LearnedTable,
  type ListRecord,
  oneInOf,
  pointsOfShare,
  type RatedSource,
  sentenceOfShare,
  type WeightBook,
} from '#domain/weights/index.ts';
import { count, renderTable } from './table.ts';

const AGES: Readonly<Record<AgeGroup, string>> = {
  F: 'up to 59 days',
  M: '60 to 364 days',
  O: '365 days or more',
  U: 'unknown',
};

/** One source in words: its class, then each age group with what it counts and is worth. */
export function sourceLines(book: WeightBook, source: RatedSource): readonly string[] {
  const list = book.listOf(source.id);
  const cells = AGE_GROUPS.flatMap((group) => book.cellOf(source.id, group) ?? []);
  return [
    `${source.id}, weights of version ${book.version}.`,
    classSentence(book.classOf(source), list),
    ...(cells.length === 0 ? [withoutCells(book, source)] : []),
    ...cells.map(({ f, group }) => sentenceOfShare(f, group)),
    ...(cells.length === 0 ? [] : ['', ...cellTable(cells)]),
    ...(list?.alarm === undefined
      ? []
      : [
          '',
          `Weighed less: ${count(list.topHits ?? 0)} of its names are on top lists. Its share is multiplied by ${list.alarm.toFixed(1)}.`,
        ]),
  ];
}

const cellTable = (cells: readonly Cell[]): readonly string[] =>
  renderTable(
    [
      { title: 'listed for' },
      { title: 'entries', align: 'right' },
      { title: 'visited', align: 'right' },
      { title: '1 in', align: 'right' },
      { title: 'points', align: 'right' },
    ],
    cells.map(({ group, n, h, f, points }) => [
      AGES[group],
      count(Math.round(n)),
      count(Math.round(h)),
      oneInOf(f),
      String(points),
    ]),
  );

const CLASSES = {
  removes: 'Class removes: the list takes entries back, so an entry counts fully while it is listed.',
  keeps: 'Class keeps: the list takes nearly nothing back, so an entry counts less the older it is.',
  unknown:
    'Class unknown: nothing shows that the list takes entries back; an entry counts fully while it is listed.',
} as const;

function classSentence(kind: keyof typeof CLASSES, list: ListRecord | null): string {
  const r30 = list?.r30 ?? null;
  if (r30 === null || list === null) return `${CLASSES[kind]} Not measured.`;
  const back =
    list.back30 === null ? '' : ` Of those that left, ${percent(list.back30)} came back within 30 days.`;
  return `${CLASSES[kind]} Of ${count(list.judged)} entries of 14 to 60 days, ${percent(r30)} left within 30 days.${back}`;
}

const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`;

const FROM = {
  cell: 'its own count',
  source: 'its other entries',
  lineage: 'another list of the same operator',
  grade: 'its grade',
} as const;

function withoutCells(book: WeightBook, source: RatedSource): string {
  const { share, from } = book.shareOf(source, 'U');
  return `No count of its own. It is weighed as 1 in ${oneInOf(share)}, after ${FROM[from]}: ${Math.round(pointsOfShare(share))} points, before the limits of lists without a record.`;
}

/** The shipped table and what was learned, side by side; `next` is what this night brings into force. */
export function sideBySide({
  shipped,
  table,
  targets,
}: Pick<LearnReport, 'shipped' | 'table' | 'targets'>): readonly string[] {
  const cellsOf = (of: LearnedTable) =>
    new Map(of.cells.map((cell) => [`${cell.source} ${cell.group}`, cell]));
  const [theirs, ours] = [cellsOf(shipped), cellsOf(table)];
  const names = [...new Set([...theirs.keys(), ...ours.keys()])].sort();
  return renderTable(
    [
      { title: 'source' },
      { title: 'age' },
      ...['entries', 'visited', '1 in', 'points'].map((title) => ({ title, align: 'right' as const })),
      ...['entries', 'visited', '1 in', 'points', 'next'].map((title) => ({
        title,
        align: 'right' as const,
      })),
    ],
    names.map((name) => {
      const [source = '', group = ''] = name.split(' ');
      const own = ours.get(name);
      const target = targets.get(name);
      return [
        source,
        group,
        ...columnsOf(theirs.get(name), theirs.get(name)?.f),
        ...columnsOf(own, target),
        own === undefined ? '' : String(own.points),
      ];
    }),
  );
}

const columnsOf = (cell: Cell | undefined, share: number | undefined): readonly string[] =>
  cell === undefined || share === undefined
    ? ['', '', '', '']
    : [
        count(Math.round(cell.n)),
        count(Math.round(cell.h)),
        oneInOf(share),
        String(Math.round(pointsOfShare(share))),
      ];

/** The cells and classes that differ between two tables. */
export function changeLines(before: LearnedTable, after: LearnedTable): readonly string[] {
  const known = new Map(before.cells.map((cell) => [`${cell.source} ${cell.group}`, cell]));
  return [
    ...after.cells.flatMap(({ source, group, points }) => {
      const was = known.get(`${source} ${group}`)?.points;
      return was === points ? [] : [`${source} ${group}: ${was ?? 'no'} -> ${points} points`];
    }),
    ...classChanges(before, after).map(({ source, from, to }) => `${source}: class ${from} -> ${to}`),
  ];
}
