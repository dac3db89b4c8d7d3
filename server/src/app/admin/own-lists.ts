import { listSources, type Source } from '#capabilities/corpus/index.ts';
import { expiresAtS, isExpired } from '#domain/scoring/index.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { exportOf } from './describe-source.ts';
import { count } from './table.ts';

/** A list that an operator imported, with its age and the end of its period. */
export type OwnList = {
  readonly id: string;
  readonly entries: number;
  readonly grade: string;
  readonly importedAt: string | null;
  readonly ageDays: number | null;
  /** Null: it does not expire. */
  readonly expiresAt: string | null;
  readonly expired: boolean;
  readonly exported: boolean;
  readonly sentence: string;
};

export async function readOwnLists(db: Db, nowMs: number): Promise<readonly OwnList[]> {
  return (await listSources(db))
    .filter(({ ownList, enabled }) => ownList === true && enabled)
    .map((source) => describeOwnList(source, nowMs));
}

export function describeOwnList(source: Source, nowMs: number): OwnList {
  const { id, entries, letter, lastFetchAtS, redistributable, exported } = source;
  const endsAtS = expiresAtS(source);
  return {
    id,
    entries,
    grade: letter,
    importedAt: lastFetchAtS === 0 ? null : isoOf(lastFetchAtS),
    ageDays: lastFetchAtS === 0 ? null : ageDaysOf(source, nowMs),
    expiresAt: endsAtS === null ? null : isoOf(endsAtS),
    expired: isExpired(source, Math.floor(nowMs / HOUR_MS)),
    exported: redistributable && exported !== false,
    sentence: sentenceOf(source, nowMs),
  };
}

/** The age of an own list, and what it means for its entries. */
function sentenceOf(source: Source, nowMs: number): string {
  const { id, entries, lastFetchAtS } = source;
  if (lastFetchAtS === 0) return `${id}: nothing was imported yet.`;
  const days = ageDaysOf(source, nowMs);
  const age = `${id}: ${count(entries)} ${entries === 1 ? 'entry' : 'entries'}, imported ${days === 0 ? 'today' : `${count(days)} ${days === 1 ? 'day' : 'days'} ago`} (${dayOf(lastFetchAtS)}).`;
  const endsAtS = expiresAtS(source);
  if (isExpired(source, Math.floor(nowMs / HOUR_MS)))
    return `${age} It expired on ${dayOf(endsAtS ?? 0)}, so its entries no longer count. To use it: feeds import ${id} FILE`;
  const until =
    endsAtS === null ? 'It does not age and does not expire.' : `It counts fully until ${dayOf(endsAtS)}.`;
  return `${age} ${until} ${exportOf(source)}`;
}

const ageDaysOf = ({ lastFetchAtS }: Source, nowMs: number): number =>
  Math.max(0, Math.floor((nowMs - lastFetchAtS * 1_000) / DAY_MS));
const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();
const dayOf = (seconds: number): string => isoOf(seconds).slice(0, 10);
