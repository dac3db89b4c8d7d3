import { createAllowance } from '#capabilities/org-indicators/index.ts';
import type { BundlePart, Variant } from './bundle.ts';
import { readSlice, unpackEntries } from './bundle.ts';
import { type Encoding, encodeBytes } from './encode-bytes.ts';
import type { Rendered } from './formats/format.ts';
import { findFormat } from './formats/formats.ts';
import type { ListEntry } from './list-entry.ts';
import { kindOfList, type ListName, shortNameOf } from './list-names.ts';
import { sampleOf } from './sample.ts';

export type RenderOrder = {
  readonly list: ListName;
  readonly path: string;
  readonly entries: BundlePart;
  readonly builtAtMs: number;
  readonly variant: Variant;
  readonly format: string;
  readonly minScore: number;
  readonly maxEntries: number | null;
  readonly annotate: boolean;
  /** Values that the organization allows, to be left out of the list; null: nothing is left out. */
  readonly allowed: readonly string[] | null;
  readonly encoding: Encoding;
};

/** Filters and renders a list. The sample is taken before filtering, so that no filter shows more of the list. */
export async function renderList(order: RenderOrder): Promise<Rendered> {
  const kind = kindOfList(order.list);
  const format = findFormat(order.format, kind);
  if (format === undefined) throw new Error(`There is no format '${order.format}' for ${kind}.`);
  const all = unpackEntries(await readSlice(order.path, order.entries));
  const own = withoutAllowed(order.variant === 'full' ? all : sampleOf(all), order.allowed);
  const rendered = format.render({
    kind,
    label: shortNameOf(order.list),
    entries: strongest(
      own.filter(({ score }) => score >= order.minScore),
      order.maxEntries,
    ),
    annotate: order.annotate,
    builtAtMs: order.builtAtMs,
  });
  return { ...rendered, body: await encodeBytes(rendered.body, order.encoding) };
}

/** Removes allowed values; a listed range with an allowed address is split into the ranges around that address. */
function withoutAllowed(
  entries: readonly ListEntry[],
  allowed: readonly string[] | null,
): readonly ListEntry[] {
  if (allowed === null || allowed.length === 0) return entries;
  const leftOf = createAllowance(allowed);
  return entries.flatMap((entry) =>
    leftOf(entry.value).map((value) => (value === entry.value ? entry : { ...entry, value })),
  );
}

/** The `max` entries with the highest scores, ties broken by value, returned in the order of the list. */
export function strongest(entries: readonly ListEntry[], max: number | null): readonly ListEntry[] {
  if (max === null || entries.length <= max) return entries;
  const byScore = (a: ListEntry, b: ListEntry): number => b.score - a.score || (a.value < b.value ? -1 : 1);
  const chosen = new Set(entries.toSorted(byScore).slice(0, max));
  return entries.filter((entry) => chosen.has(entry));
}
