import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Counting } from './count-names.ts';
import { endedNamingsOf, type Naming, namingsOf, readAlongKeys } from './count-store.ts';
import { type GroupTally, groupOn } from './group-tally.ts';
import { namesAbove } from './names-above.ts';
import type { ReferenceFile, VisitedHost } from './reference-file.ts';

export type NameSuspicion = (host: string) => boolean;

const HOSTS_A_PAGE = 5_000;

type Namings = ReadonlyMap<string, readonly Naming[]>;
type Page = { readonly now: Namings; readonly ended: Namings };
type Numbers = { readonly threats: ReadonlySet<number>; readonly roots: ReadonlySet<number> };
/** The nearest naming of a host by each source, now and at the last run. */
type Accused = { readonly now: Map<number, Naming>; readonly before: Map<number, Naming> };

/**
 * Counts which visited hosts the lists accuse, themselves or through a name above them. Each host counts once for each
 * source, for the nearest listing. Hosts are read from the file page by page.
 */
export async function countVisits(
  counting: Counting,
  reference: ReferenceFile,
  isSuspected: NameSuspicion,
  tally: GroupTally,
): Promise<void> {
  const numbers = { threats: new Set(counting.numbers.threats), roots: new Set(counting.numbers.roots) };
  for await (const hosts of reference.batches(HOSTS_A_PAGE)) {
    const named = hosts.map((visited) => ({ visited, names: namesAbove(visited) }));
    const page = await readPage(
      counting,
      named.flatMap(({ names }) => names),
    );
    for (const { visited, names } of named) {
      const accused = accusedOf(visited, names, page, numbers);
      if (accused === null || accused.now.size + accused.before.size === 0) continue;
      if (!isSuspected(visited.host)) addHost(counting, accused, tally);
    }
    counting.signal?.throwIfAborted();
    await nextTurn();
  }
}

async function readPage({ db, numbers, last }: Counting, names: readonly string[]): Promise<Page> {
  return db.transaction().execute(async (tx) => {
    await readAlongKeys(tx);
    const now = await namingsOf(tx, names, numbers, last?.atMs ?? null);
    const ended = last === null ? [] : await endedNamingsOf(tx, names, numbers.threats, last.atMs);
    return { now: byName(now), ended: byName(ended) };
  });
}

function byName(namings: readonly Naming[]): Namings {
  const named = new Map<string, Naming[]>();
  for (const naming of namings) {
    const known = named.get(naming.name);
    if (known === undefined) named.set(naming.name, [naming]);
    else known.push(naming);
  }
  return named;
}

/** Null: a top list protects the host, or a list calls it a platform that the suffix list does not know. */
function accusedOf(
  visited: VisitedHost,
  names: readonly string[],
  { now, ended }: Page,
  { threats, roots }: Numbers,
): Accused | null {
  const own = names.slice(0, 2).flatMap((name) => now.get(name) ?? []);
  if (own.some(({ sourceNumber }) => !threats.has(sourceNumber))) return null;
  const accused: Accused = { now: new Map(), before: new Map() };
  for (const name of names) {
    const namings = now.get(name) ?? [];
    if (namings.some(({ sourceNumber }) => roots.has(sourceNumber))) break;
    for (const naming of [...namings, ...(ended.get(name) ?? [])]) {
      if (!threats.has(naming.sourceNumber) || !isVisitedBefore(visited, naming)) continue;
      if (namings.includes(naming)) keepFirst(accused.now, naming);
      if (naming.wasListed) keepFirst(accused.before, naming);
    }
  }
  return accused;
}

function keepFirst(nearest: Map<number, Naming>, naming: Naming): void {
  if (!nearest.has(naming.sourceNumber)) nearest.set(naming.sourceNumber, naming);
}

function addHost({ day, last }: Counting, { now, before }: Accused, tally: GroupTally): void {
  for (const [number, naming] of now) tally.addListed(number, groupOn(naming.day, day), { n: 0, h: 1 });
  if (last === null) return;
  for (const [number, naming] of before) {
    const group = groupOn(naming.day, last.day);
    const current = now.get(number);
    const isIn = current !== undefined && groupOn(current.day, day) === group;
    if (!isIn) tally.addLeft(number, group, { n: 0, h: 1 });
  }
}

/**
 * Visits of few clients count only when they came before the first day of the entry: users who follow a phishing link must
 * not disarm the list that caught it. Of an undated entry nobody knows the first day.
 */
const isVisitedBefore = ({ firstDay }: VisitedHost, { day }: Naming): boolean =>
  firstDay === null || (day !== null && firstDay < day);
