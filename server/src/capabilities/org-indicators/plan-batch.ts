import type { Item } from './contract.ts';

/** The stored row of a value that the batch sends again. */
export type StoredIndicator = {
  readonly id: string;
  readonly entityType: Item['entityType'];
  readonly value: string;
  readonly status: 'approved' | 'revoked';
  readonly disposition: Item['disposition'];
  readonly category: string;
  readonly comment: string | null;
  readonly reason: string | null;
  readonly endsAtMs: number | null;
};

/** What a batch does to a value. `noted`: only the comment differs, which no check reads. */
export type Change = 'new' | 'restored' | 'changed' | 'noted' | 'unchanged';
export type Planned = {
  readonly id: string;
  readonly item: Item;
  readonly change: Change;
};

export type BatchPlan = {
  /** The id of every item, in the order of the request. */
  readonly ids: readonly string[];
  /** One for each distinct value. If a value is sent twice, its last item counts. */
  readonly values: readonly Planned[];
  /** New, restored and changed values, which are written. */
  readonly changed: number;
  /** These, and unchanged values with a warning, count against the daily cap (G25, trap 26, O82). */
  readonly charged: number;
  readonly inserted: number;
};

const nameOf = ({ entityType, value }: { readonly entityType: string; readonly value: string }): string =>
  `${entityType} ${value}`;
const nameOfItem = ({ entityType, indicator }: Item): string =>
  nameOf({ entityType, value: indicator.value });

export function planBatch(
  items: readonly Item[],
  stored: readonly StoredIndicator[],
  makeId: () => string,
  isWarned: (item: Item) => boolean = () => false,
): BatchPlan {
  const known = new Map(stored.map((row) => [nameOf(row), row]));
  const last = new Map(items.map((item) => [nameOfItem(item), item]));
  const values = new Map<string, Planned>();
  for (const [name, item] of last) {
    const before = known.get(name);
    values.set(name, { id: before?.id ?? makeId(), item, change: changeOf(item, before) });
  }
  const planned = [...values.values()];
  const changed = planned.filter(({ change }) => change !== 'unchanged').length;
  const warned = planned.filter(({ change, item }) => change === 'unchanged' && isWarned(item)).length;
  return {
    ids: items.map((item) => values.get(nameOfItem(item))?.id ?? ''),
    values: planned,
    changed,
    charged: changed + warned,
    inserted: planned.filter(({ change }) => change === 'new' || change === 'restored').length,
  };
}

function changeOf(item: Item, before: StoredIndicator | undefined): Change {
  if (before === undefined) return 'new';
  if (before.status === 'revoked') return 'restored';
  const isSame =
    before.disposition === item.disposition &&
    before.category === item.category &&
    before.reason === item.reason &&
    before.endsAtMs === item.endsAtMs;
  if (!isSame) return 'changed';
  return before.comment === item.comment ? 'unchanged' : 'noted';
}
