import type { Excluded } from '#domain/shared-lists/index.ts';
import { type OpenedArtifact, putArtifact } from '#platform/artifacts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import {
  type Bundle,
  type BundleHead,
  isSameContent,
  linesOf,
  packBundle,
  readBundleHead,
  readSlice,
  VARIANTS,
  type Variant,
} from './bundle.ts';
import { type Difference, differenceOf } from './difference.ts';
import type { ListEntry } from './list-entry.ts';
import type { ListName } from './list-names.ts';
import type { ListState } from './store.ts';
import * as store from './store.ts';

/** Where the members of the lists come from. */
export type ListSource = {
  /** False while not every indicator is judged yet: then no list is built, and none is lost. */
  readonly isReady?: () => Promise<boolean>;
  /** Pages in canonical order: IPv4 by number, then IPv6, ranges in address order; names by their bytes. */
  readonly entriesOf: (list: ListName) => AsyncIterable<readonly ListEntry[]>;
  /** A stamp that changes with the members; while it is unchanged the list is not built again. */
  readonly membershipVersion: (list: ListName) => Promise<string>;
  /** Values that would be members if nothing spoke for them: a service range, a popular name. */
  readonly withheldOf?: (list: ListName) => Promise<number>;
  /** What was left out of each list and why; the version changes whenever the counts may. */
  readonly excluded?: {
    readonly version: () => Promise<string>;
    readonly count: () => Promise<Readonly<Record<ListName, Excluded>>>;
  };
  /** Whether the period of an own list ended since this time: a list may then lose its entries. */
  readonly hasExpiredSince?: (sinceMs: number, nowMs: number) => Promise<boolean>;
};

export type BuildDeps = {
  readonly clock: Clock;
  readonly source: ListSource;
  readonly openArtifact: (name: string) => Promise<OpenedArtifact | null>;
  readonly transaction: <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
};

export type BuildReport = {
  readonly list: ListName;
  readonly outcome: 'built' | 'unchanged' | 'held';
  readonly lines: number;
};

export const CHANGES_KEPT_MS = 7 * DAY_MS;
/** A difference of more lines is not kept: a client then downloads the whole list, which costs it little more. */
const CHANGES_MAX = 200_000;
const INSERT_AT_ONCE = 20_000;
const VALUE = /^[\x21-\x7e]{1,253}$/;

export const artifactOf = (list: ListName): string => list.replace(/\.txt$/, '');

/**
 * Builds a list if its members changed. Everything but the last step only reads, so that a build that fails anywhere
 * leaves the last good list. A list that lost half of its lines waits for an operator: a source that went silent looks
 * the same as a world without threats.
 */
export async function buildList(deps: BuildDeps, list: ListName): Promise<BuildReport> {
  const { clock, source } = deps;
  const state = await deps.transaction((tx) => store.findState(tx, list));
  const membership = await source.membershipVersion(list);
  if (state !== null && state.builtAtMs !== null && state.membership === membership) {
    await deps.transaction((tx) => store.noteChecked(tx, list, clock.now()));
    return { list, outcome: 'unchanged', lines: state.lines };
  }
  const entries = await gather(source, list);
  const isReleased = state?.releasedMembership === membership;
  const hasLostHalf = state !== null && state.lines > 0 && entries.length * 2 <= state.lines;
  if (hasLostHalf && !isReleased && !(await isExpiry(deps, state))) {
    await deps.transaction((tx) => store.noteHeld(tx, list, entries.length, membership));
    return { list, outcome: 'held', lines: state.lines };
  }
  const file = await deps.openArtifact(artifactOf(list));
  const before = file === null ? null : await readBundleHead(file.path);
  const bundle = await packBundle(entries, clock.now(), before);
  const changes = before === null ? null : await changesOf(before, file?.path ?? '', bundle);
  const withheld = (await source.withheldOf?.(list)) ?? 0;
  await deps.transaction((tx) => putIntoForce(tx, list, { bundle, before, changes, membership, withheld }));
  return { list, outcome: 'built', lines: entries.length };
}

/** The operator chose the day on which an own list stops counting, so nobody has to release what it takes away. */
const isExpiry = async ({ source, clock }: BuildDeps, { builtAtMs }: ListState): Promise<boolean> =>
  builtAtMs !== null && (await source.hasExpiredSince?.(builtAtMs, clock.now())) === true;

async function gather(source: ListSource, list: ListName): Promise<readonly ListEntry[]> {
  const entries: ListEntry[] = [];
  const seen = new Set<string>();
  for await (const page of source.entriesOf(list))
    for (const entry of page) {
      // The format is one entry for each line, so a value with a line end or a blank would forge entries.
      if (!VALUE.test(entry.value))
        throw new Error(`'${list}' was given a value that is not one plain word.`);
      if (seen.has(entry.value)) throw new Error(`'${list}' was given '${entry.value}' twice.`);
      seen.add(entry.value);
      entries.push(entry);
    }
  return entries;
}

type Changes = Readonly<Record<Variant, Difference>>;
type Outcome = {
  readonly bundle: Bundle;
  readonly before: BundleHead | null;
  readonly changes: Changes | null;
  readonly membership: string;
  readonly withheld: number;
};

async function putIntoForce(tx: Db, list: ListName, outcome: Outcome): Promise<void> {
  const { bundle, before, changes } = outcome;
  const { head } = bundle;
  await store.lockList(tx, list);
  if (before === null || !isSameContent(before, head)) await putArtifact(tx, artifactOf(list), bundle.parts);
  if (before?.full.identity.sha256 !== head.full.identity.sha256)
    await saveVersion(tx, list, head, changes === null || countOf(changes) > CHANGES_MAX ? null : changes);
  await store.saveBuilt(tx, {
    list,
    membership: outcome.membership,
    lines: head.full.lines,
    sampleLines: head.sample.lines,
    withheld: outcome.withheld,
    modifiedAtMs: head.full.modifiedAtMs,
    builtAtMs: head.builtAtMs,
  });
  await store.deleteVersionsBefore(tx, head.builtAtMs - CHANGES_KEPT_MS);
}

async function saveVersion(tx: Db, list: ListName, head: BundleHead, changes: Changes | null): Promise<void> {
  const id = await store.insertVersion(tx, {
    list,
    fullSha256: head.full.identity.sha256,
    sampleSha256: head.sample.identity.sha256,
    hasChanges: changes !== null,
    builtAtMs: head.builtAtMs,
  });
  if (changes === null) return;
  for (const variant of VARIANTS)
    for (const [values, isAdded] of [
      [changes[variant].added, true],
      [changes[variant].removed, false],
    ] as const)
      for (let at = 0; at < values.length; at += INSERT_AT_ONCE)
        await store.insertChanges(tx, id, variant, values.slice(at, at + INSERT_AT_ONCE), isAdded);
}

async function changesOf(before: BundleHead, path: string, { head, parts }: Bundle): Promise<Changes> {
  const change = async (variant: Variant): Promise<Difference> => {
    const old = linesOf(await readSlice(path, before[variant].identity));
    const at = [head.full, head.sample].indexOf(head[variant]) * PARTS_A_VARIANT;
    return differenceOf(old, linesOf(parts[1 + at] ?? Buffer.alloc(0)));
  };
  return { full: await change('full'), sample: await change('sample') };
}

/** The parts of a bundle are its head, three encodings of each variant, and the entries. */
const PARTS_A_VARIANT = 3;
const countOf = ({ full, sample }: Changes): number =>
  full.added.length + full.removed.length + sample.added.length + sample.removed.length;
