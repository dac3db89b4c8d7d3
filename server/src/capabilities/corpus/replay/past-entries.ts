import { accuses, type Source } from '../contract.ts';
import type { RangeEntry } from '../range-table.ts';
import { fadesUntilMs } from './fades-until.ts';
import { packListing } from './pack-listing.ts';
import type { RelatedPeriod } from './span-store.ts';
import type { Period, RelatedFold } from './store.ts';

export type PastSources = ReadonlyMap<number, Source>;

/** Entries of the replica collection "listing" at a moment. `periods` must be in the order of keys and sources. */
export function listingEntries(
  periods: readonly Period[],
  sources: PastSources,
  atMs: number,
): readonly RangeEntry[] {
  const entries: { key: Buffer; value: Buffer[] }[] = [];
  for (const period of newestBegun(periods, atMs)) {
    const packed = packAt(period, sources, atMs);
    if (packed === null) continue;
    const last = entries.at(-1);
    if (last?.key.equals(period.key) === true) last.value.push(packed);
    else entries.push({ key: period.key, value: [packed] });
  }
  return entries.map(({ key, value }) => ({ key, value: Buffer.concat(value) }));
}

export function newestBegun<P extends Period>(periods: readonly P[], atMs: number): readonly P[] {
  const newest: P[] = [];
  for (const period of periods) {
    if (period.listedFromMs > atMs) continue;
    const last = newest.at(-1);
    const isSame = last?.sourceNumber === period.sourceNumber && last.key.equals(period.key);
    if (!isSame) newest.push(period);
    else if (period.listedFromMs > last.listedFromMs) newest[newest.length - 1] = period;
  }
  return newest;
}

export const holdsAt = ({ listedToMs }: Period, atMs: number): boolean =>
  listedToMs === null || listedToMs > atMs;

/** Dropped listings and those of neighbours are weighed but not shown, so they carry no family or reference. */
const NO_NAMES = { familyNumber: null, referenceNumber: null } as const;

/** The packed listing of a period at a moment; null: it was dropped and had faded out (scoring ruling 5). */
function packAt(period: Period, sources: PastSources, atMs: number): Buffer | null {
  const { sourceNumber, firstSeenS, confidence, datedBy, rank, lastSeenS, leftS, listedToMs } = period;
  if (listedToMs === null || listedToMs > atMs)
    return packListing({
      sourceNumber,
      firstSeenS,
      lastSeenS: rank ?? lastSeenS ?? 0,
      confidence,
      datedBy,
      isDelisted: false,
      familyNumber: period.familyNumber,
      referenceNumber: period.referenceNumber,
    });
  const source = sources.get(sourceNumber);
  if (source === undefined || fadesUntilMs(period.key, source, { lastSeenS, listedToMs }) <= atMs)
    return null;
  return packListing({
    sourceNumber,
    firstSeenS,
    lastSeenS: leftS ?? 0,
    confidence,
    datedBy,
    isDelisted: true,
    ...NO_NAMES,
  });
}

const RELATED_ENTRIES_MAX = 64;

/** Entries of the replica collection "related". `folds` must be in the order of parents, kinds and sources. */
export function relatedEntries(folds: readonly RelatedFold[], sources: PastSources): readonly RangeEntry[] {
  const entries: { key: Buffer; value: Buffer[] }[] = [];
  for (const fold of folds) {
    const source = sources.get(fold.sourceNumber);
    if (source === undefined || !accuses(source)) continue;
    const packed = Buffer.concat([
      Buffer.of(fold.kind),
      packListing({ ...fold, isDelisted: false, ...NO_NAMES }),
    ]);
    const last = entries.at(-1);
    if (last?.key.equals(fold.parentKey) !== true) entries.push({ key: fold.parentKey, value: [packed] });
    else if (last.value.length < RELATED_ENTRIES_MAX) last.value.push(packed);
  }
  return entries.map(({ key, value }) => ({ key, value: Buffer.concat(value) }));
}

/** Computes in memory what `relatedAt` reads by SQL, for any moment within a span. */
export function foldRelated(periods: readonly RelatedPeriod[], atMs: number): readonly RelatedFold[] {
  const folds = new Map<string, RelatedFold>();
  for (const period of newestBegun(periods, atMs)) {
    if (!holdsAt(period, atMs)) continue;
    const { parentKey, sourceNumber } = period;
    const kind = period.key[0] as number;
    const name = `${parentKey.toString('latin1')} ${kind} ${sourceNumber}`;
    folds.set(name, fold(folds.get(name), { ...period, kind, lastSeenS: period.lastSeenS ?? 0 }));
  }
  return [...folds.values()].sort(
    (a, b) => Buffer.compare(a.parentKey, b.parentKey) || a.kind - b.kind || a.sourceNumber - b.sourceNumber,
  );
}

function fold(before: RelatedFold | undefined, next: RelatedFold): RelatedFold {
  const { parentKey, kind, sourceNumber, firstSeenS, lastSeenS, confidence, datedBy } = next;
  if (before === undefined)
    return { parentKey, kind, sourceNumber, firstSeenS, lastSeenS, confidence, datedBy };
  return {
    ...before,
    firstSeenS: Math.min(before.firstSeenS, firstSeenS),
    lastSeenS: before.lastSeenS === 0 || lastSeenS === 0 ? 0 : Math.max(before.lastSeenS, lastSeenS),
    confidence:
      confidence === null ? before.confidence : Math.max(before.confidence ?? confidence, confidence),
    datedBy: Math.min(before.datedBy, datedBy),
  };
}
