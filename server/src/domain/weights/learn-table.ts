import { AGE_GROUPS, type AgeGroup } from './age-group.ts';
import { type EntryCount, goneAfter, NO_ENTRIES } from './gone-entries.ts';
import { learnLists } from './learn-lists.ts';
import type { Cell, LearnedTable } from './learned-table.ts';
import type { GroupCount, Learning } from './learning.ts';
import { scaleOf } from './reference-scale.ts';
import { settleShare } from './settle-share.ts';
import { pointsOfShare } from './share-points.ts';
import { sixDigits, threePlaces } from './six-digits.ts';
import { sharesOfSource } from './source-shares.ts';
import { alarmFor } from './top-list-alarm.ts';

export type Learned = {
  readonly table: LearnedTable;
  /** What the counts say before they come into force, by source and group. */
  readonly targets: ReadonlyMap<string, number>;
  /** False where there is no reference, or one of too few hits. */
  readonly hasOwnReference: boolean;
};

/** A source with fewer names has no cells of its own. */
const NAMES_MIN = 40;
const DAY_MS = 86_400_000;

/** A cell before its share comes into force. */
type Target = Omit<Cell, 'f' | 'points' | 'asked'> & { readonly f: number };

/** The table of one night. The same counts give the same table. */
export function learnTable(given: Learning): Learned {
  const { shipped, day, version } = given;
  const scale =
    given.reference === null
      ? null
      : scaleOf(
          shipped,
          given.counts.map(({ source, groups }) => ({ source: source.id, cells: groups })),
        );
  const targets = scale === null ? shippedTargets(given) : ownTargets(given, scale);
  const cells = settleCells(targets, given, isNewlyShipped(given) && scale === null);
  const table: LearnedTable = {
    version,
    model: shipped.model,
    learnedAt: day,
    base: shipped.version,
    reference:
      given.reference === null || scale === null
        ? shipped.reference
        : { ...given.reference, shipped: false, scale: sixDigits(scale) },
    cells,
    lists: learnLists(given, scale === null ? null : cells),
    platforms: shipped.platforms,
  };
  return {
    table,
    targets: new Map(targets.map((target) => [nameOf(target), target.f])),
    hasOwnReference: scale !== null,
  };
}

const nameOf = ({ source, group }: Pick<Cell, 'source' | 'group'>): string => `${source} ${group}`;

/** Without a reference the shipped cells stay as they are; only the alarm of the top lists raises a share. */
function shippedTargets({ shipped, counts }: Learning): readonly Target[] {
  const alarms = new Map(counts.map((count) => [count.source.id, alarmFor(count, shipped)]));
  return shipped.cells.map((cell) => ({ ...cell, f: cell.f * (alarms.get(cell.source) ?? 1) }));
}

/** The cells as an own reference counts them; a source without names here keeps the shipped ones. */
function ownTargets(given: Learning, scale: number): readonly Target[] {
  const { shipped, before, counts } = given;
  const known = byName((before ?? shipped).cells);
  const shippedCells = byName(shipped.cells);
  const days = daysBetween((before ?? shipped).learnedAt, given.day);
  const learned = new Set<string>();
  const targets = counts.flatMap(({ source, groups }) => {
    const cells = AGE_GROUPS.flatMap((group): readonly Target[] => {
      const name = nameOf({ source: source.id, group });
      const cell = countCell(
        groups.find((each) => each.group === group),
        known.get(name)?.gone,
        {
          scale,
          days,
        },
      );
      if (cell === null) return [];
      const nights = (known.get(name)?.nights ?? 0) + 1;
      return [{ source: source.id, group, ...cell, ...(!shippedCells.has(name) && { nights }) }];
    });
    if (cells.reduce((sum, { n }) => sum + n, 0) < NAMES_MIN) return [];
    learned.add(source.id);
    const shares = sharesOfSource(cells, source);
    return cells.map((cell) => ({ ...cell, f: shares.get(cell.group) ?? 0 }));
  });
  const others = shipped.cells.filter(({ source }) => !learned.has(source));
  return [...targets, ...others].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function countCell(
  count: GroupCount | undefined,
  gone: EntryCount | undefined,
  { scale, days }: { readonly scale: number; readonly days: number },
): Pick<Target, 'n' | 'h' | 'f' | 'gone'> | null {
  const left = count?.left ?? NO_ENTRIES;
  const after = goneAfter(gone ?? NO_ENTRIES, days, { n: left.n, h: left.h * scale });
  const n = threePlaces((count?.n ?? 0) + after.n);
  if (n < 1) return null;
  const h = threePlaces((count?.h ?? 0) * scale + after.h);
  return { n, h, f: 0, ...(after.n > 0 && { gone: after }) };
}

/** Brings the targets into force, as far as this night allows. */
function settleCells(targets: readonly Target[], given: Learning, isAtOnce: boolean): readonly Cell[] {
  const [inForce, before] = [byName(given.inForce.cells), byName(given.before?.cells ?? [])];
  const settled = new Map<string, Cell>();
  for (const { f: target, ...cell } of targets) {
    const name = nameOf(cell);
    const { share, asked } = settleShare(
      isAtOnce ? null : (inForce.get(name)?.f ?? null),
      before.get(name)?.asked ?? 0,
      target,
    );
    settled.set(name, { ...cell, f: share, points: 0, ...(asked > 0 && { asked }) });
  }
  for (const { source } of settled.values()) keepOrder(settled, source);
  return [...settled.values()].map((cell) => ({ ...cell, points: Math.round(pointsOfShare(cell.f)) }));
}

/** A release with another shipped table takes effect at once where nothing else is learned. */
const isNewlyShipped = ({ inForce, shipped }: Learning): boolean =>
  (inForce.base ?? inForce.version) !== shipped.version;

/** In force as in the counts, a younger cell has no larger share than an older one of the same source. */
function keepOrder(cells: Map<string, Cell>, source: string): void {
  let older = Number.POSITIVE_INFINITY;
  for (const group of ['O', 'M', 'F'] as const satisfies readonly AgeGroup[]) {
    const cell = cells.get(nameOf({ source, group }));
    if (cell === undefined) continue;
    older = Math.min(older, cell.f);
    cells.set(nameOf(cell), { ...cell, f: older });
  }
}

const byName = (cells: readonly Cell[]): ReadonlyMap<string, Cell> =>
  new Map(cells.map((cell) => [nameOf(cell), cell]));

const daysBetween = (from: string, to: string): number =>
  Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS));
