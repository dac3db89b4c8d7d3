import type { Artifacts } from '#platform/artifacts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { isPostgresAway, type Postgres } from '#platform/postgres.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import { artifactOf } from './build-list.ts';
import { type BundleHead, readBundleHead, readSlice, VARIANTS, type Variant } from './bundle.ts';
import { ENCODINGS, type Encoding } from './encode-bytes.ts';
import { LIST_NAMES, type ListName } from './list-names.ts';
import { type ListState, listStates } from './store.ts';

/** One version of a list on this node. It is never changed: a newer version is another object. */
export type OpenList = {
  readonly list: ListName;
  readonly path: string;
  readonly head: BundleHead;
  /** The parts of the file that fit in memory, by `memoryKey`; the others are read from the file. */
  readonly memory: ReadonlyMap<string, Buffer>;
};

export const memoryKey = (variant: Variant, encoding: Encoding): string => `${variant} ${encoding}`;

export type Lists = {
  /** Null until the list was built once. */
  readonly find: (list: ListName) => OpenList | null;
  /** The list is older than it should be: its last build failed, waits for an operator, or did not happen for an hour. */
  readonly isStale: (list: ListName) => boolean;
  readonly states: () => ReadonlyMap<ListName, ListState>;
  readonly refresh: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type ListsOptions = {
  readonly postgres: Pick<Postgres, 'db'>;
  readonly artifacts: Artifacts;
  readonly log: Log;
  readonly clock: Clock;
  readonly memoryBytesMax: number;
  /** Runs before a newer version replaces the one that is open. */
  readonly prepare?: (before: OpenList, next: OpenList) => Promise<void>;
  readonly pollMs?: number;
};

const POLL_MS = 10_000;
const STALE_AFTER_MS = HOUR_MS;

/**
 * Opens the newest version of every list and looks for newer ones every ten seconds. Without PostgreSQL it goes on with
 * what it has, and starts with the files of this node.
 */
export async function openLists(options: ListsOptions): Promise<Lists> {
  const { clock, log } = options;
  const open = new Map<ListName, OpenList>();
  let states: ReadonlyMap<ListName, ListState> = new Map();
  let isReachable = false;
  const look = async (): Promise<void> => {
    try {
      states = new Map((await listStates(options.postgres.db)).map((state) => [state.list, state]));
      isReachable = true;
    } catch (error) {
      if (isReachable || open.size === 0)
        log.warn({ err: error }, isPostgresAway(error) ? 'lists.offline' : 'lists.failed');
      isReachable = false;
      // Without PostgreSQL the open files are the newest that this node knows, so there is nothing to follow.
      if (open.size > 0) return;
    }
    for (const list of LIST_NAMES)
      if (!isReachable || (states.get(list)?.builtAtMs ?? null) !== null)
        await follow(options, open, states.get(list), list);
  };
  await look();
  let running: Promise<void> | null = null;
  const refresh = (): Promise<void> => {
    running ??= look().finally(() => {
      running = null;
    });
    return running;
  };
  const timer = setInterval(() => void refresh(), options.pollMs ?? POLL_MS).unref();
  return {
    find: (list) => open.get(list) ?? null,
    isStale: (list) => isStale(states.get(list), open.get(list), clock.now()),
    states: () => states,
    refresh,
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

function isStale(state: ListState | undefined, open: OpenList | undefined, nowMs: number): boolean {
  if (state === undefined) return nowMs - (open?.head.builtAtMs ?? nowMs) > STALE_AFTER_MS;
  return (
    state.failure !== null ||
    state.heldLines !== null ||
    nowMs - (state.checkedAtMs ?? nowMs) > STALE_AFTER_MS
  );
}

/** A list that cannot be opened keeps the version that is open; the next look tries again. */
async function follow(
  options: ListsOptions,
  open: Map<ListName, OpenList>,
  state: ListState | undefined,
  list: ListName,
): Promise<void> {
  const before = open.get(list);
  if (before !== undefined && state?.builtAtMs === before.head.builtAtMs) return;
  try {
    const file = await options.artifacts.openArtifact(artifactOf(list));
    if (file === null || file.path === before?.path) return;
    const head = await readBundleHead(file.path);
    // The previous version serves until the new one is read and prepared, so that the list is never missing.
    const others = [...open.values()].filter((other) => other.list !== list);
    const taken = others.reduce((sum, { memory }) => sum + bytesOf(memory), 0);
    const memory = await load(file.path, head, options.memoryBytesMax - taken);
    const next = { list, path: file.path, head, memory };
    if (before !== undefined) await options.prepare?.(before, next);
    open.set(list, next);
    options.log.info({ list, lines: head.full.lines }, 'list.opened');
  } catch (error) {
    options.log.error({ err: error, list }, 'list.unreadable');
  }
}

const bytesOf = (memory: ReadonlyMap<string, Buffer>): number =>
  [...memory.values()].reduce((sum, { length }) => sum + length, 0);

/** Reads small parts first until `room` is used, because small and large parts are asked for equally often. */
async function load(path: string, head: BundleHead, room: number): Promise<ReadonlyMap<string, Buffer>> {
  const parts = VARIANTS.flatMap((variant) =>
    ENCODINGS.map((encoding) => ({ key: memoryKey(variant, encoding), part: head[variant][encoding] })),
  ).sort((a, b) => a.part.bytes - b.part.bytes);
  const memory = new Map<string, Buffer>();
  let left = room;
  for (const { key, part } of parts) {
    if (part.bytes > left) break;
    left -= part.bytes;
    memory.set(key, await readSlice(path, part));
  }
  return memory;
}
