import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { unavailable } from '../errors.ts';
import { openEnvironment } from '../lmdb.ts';
import type { Log } from '../log.ts';
import { ContactClock } from './contact-clock.ts';
import { assertDataset, type Dataset } from './dataset.ts';
import { isReplicatorAlive, isReplicatorRunning } from './exclusive.ts';
import { dataFile, generationFolder, listGenerations, pointerFile, readPointer } from './generations.ts';
import { MemoCache } from './memo-cache.ts';
import { readerContactAgeSeconds } from './replica-metrics.ts';
import type { ReplicaView } from './replica-view.ts';
import { snapshotId } from './status.ts';
import { verifyGeneration } from './verify.ts';
import { HeldView, OpenGeneration } from './view.ts';

export type { ReplicaView } from './replica-view.ts';

export type ReplicaOptions = {
  readonly dataDir: string;
  readonly dataset: Dataset;
  readonly log: Log;
  readonly clock: Clock;
  readonly refreshMs?: number;
  /** How long to wait for a generation that a live replicator has verified. */
  readonly waitMs?: number;
};

export type ReplicaStatus = {
  readonly generation: string | null;
  readonly seq: number;
  readonly snapshotId: string;
  readonly entries: number;
  readonly contactAtMs: number;
  /** Asks the operating system; too slow for the hot path. */
  readonly isReplicatorAlive: boolean;
};

export type Replica = {
  /** The newest view; the same object until something changes. Throws 503 when the replica was withdrawn. */
  readonly view: () => ReplicaView;
  readonly refresh: () => void;
  readonly status: () => ReplicaStatus;
  readonly onChange: (listener: () => void) => void;
  readonly close: () => Promise<void>;
};

const REFRESH_MS = 50;
const WAIT_MS = 10_000;
const LOOK_MS = 50;
/** A lookup may use its view this long after a newer one appeared; then the view refuses. */
const RETIRE_AFTER_MS = 2_000;

/**
 * Opens a generation that a live replicator has verified, or else verifies one itself: after a power failure or a
 * long pause the file is not trusted (foundation rule 5).
 */
export async function openReplica(options: ReplicaOptions): Promise<Replica> {
  assertDataset(options.dataset);
  const { dataDir, dataset, clock, waitMs = WAIT_MS } = options;
  const deadlineMs = clock.monotonic() + waitMs;
  const refused = new Set<string>();
  do {
    // The stamp is read first, so that a pointer that moves during the check is examined again, and a refused one is
    // not.
    const stamp = pointerStamp(options);
    const generation = attestedGeneration(dataDir, dataset.name) ?? (await selfVerified(options, refused));
    if (generation !== null) {
      const opened = openGeneration(options, generation);
      if (opened !== null) return new Listener(options, opened, stamp);
    }
    await sleep(LOOK_MS);
  } while (clock.monotonic() < deadlineMs);
  throw unavailable(`No verified replica of '${dataset.name}' appeared within ${waitMs} ms.`, 5);
}

function attestedGeneration(dataDir: string, dataset: string): string | null {
  const pointer = readPointer(dataDir, dataset);
  if (pointer?.generation == null) return null;
  return isReplicatorAlive(dataDir, pointer.attestedBy) ? pointer.generation : null;
}

/** Only when no replicator is running. Each generation is scanned once. */
async function selfVerified(options: ReplicaOptions, refused: Set<string>): Promise<string | null> {
  const { dataDir, dataset, log } = options;
  if (isReplicatorRunning(dataDir)) return null;
  const pointed = readPointer(dataDir, dataset.name)?.generation;
  if (pointed == null) return null;
  const others = listGenerations(dataDir, dataset.name).filter((name) => name !== pointed);
  for (const generation of [pointed, ...others]) {
    if (refused.has(generation)) continue;
    const verdict = await verifyGeneration(generationFolder(dataDir, dataset.name, generation));
    if (verdict.ok && verdict.head.format === dataset.format) return generation;
    refused.add(generation);
    const reason = verdict.ok ? `it has format ${verdict.head.format}` : verdict.reason;
    log.error({ dataset: dataset.name, generation, reason }, 'replica generation refused');
  }
  return null;
}

/** Null when it has another format or was removed in the meantime. */
function openGeneration(options: ReplicaOptions, generation: string): OpenGeneration | null {
  const { dataDir, dataset, log } = options;
  const file = dataFile(generationFolder(dataDir, dataset.name, generation));
  try {
    statSync(file);
    const environment = openEnvironment(file, 'read');
    const names = dataset.collections.map((collection) => collection.name);
    const opened = new OpenGeneration(environment, names);
    const snapshot = opened.begin();
    const view = new HeldView(opened, snapshot, opened.headBytes(snapshot), new MemoCache());
    const isOurs = view.head.format === dataset.format && view.head.dataset === dataset.name;
    view.retire();
    if (isOurs) return opened;
    void environment.close();
    return null;
  } catch (error) {
    log.warn({ dataset: dataset.name, generation, err: error }, 'replica generation cannot be opened');
    return null;
  }
}

class Listener implements Replica {
  readonly #options: ReplicaOptions;
  readonly #memos = new MemoCache();
  readonly #contact: ContactClock;
  readonly #listeners: (() => void)[] = [];
  readonly #retiring = new Map<HeldView, number>();
  readonly #timer: NodeJS.Timeout;
  #current: HeldView | null;
  #pointerStamp: string;
  #isClosed = false;

  constructor(options: ReplicaOptions, opened: OpenGeneration, stamp: string) {
    this.#options = options;
    this.#pointerStamp = stamp;
    this.#contact = new ContactClock(options.clock);
    this.#current = this.#take(opened);
    this.#timer = setInterval(() => this.refresh(), options.refreshMs ?? REFRESH_MS);
    this.#timer.unref();
  }

  view(): ReplicaView {
    if (this.#current === null)
      throw unavailable('The local replica is damaged and is being rebuilt. Try again shortly.', 5);
    return this.#current;
  }

  refresh(): void {
    if (this.#isClosed) return;
    try {
      this.#followPointer();
      this.#followHead();
    } catch (error) {
      this.#options.log.error({ dataset: this.#options.dataset.name, err: error }, 'replica refresh failed');
    }
    this.#retireOld();
    const { clock, dataset } = this.#options;
    const contactAtMs = this.#current?.contactAtMs;
    if (contactAtMs !== undefined)
      readerContactAgeSeconds.set({ dataset: dataset.name }, Math.max(0, clock.now() - contactAtMs) / 1_000);
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  status(): ReplicaStatus {
    const { dataDir } = this.#options;
    const head = this.#current?.head;
    return {
      generation: head?.generation ?? null,
      seq: head?.seq ?? 0,
      snapshotId: snapshotId(head?.seq ?? 0),
      entries: head?.entries ?? 0,
      contactAtMs: this.#current?.contactAtMs ?? 0,
      isReplicatorAlive: isReplicatorRunning(dataDir),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const views = [...this.#retiring.keys(), ...(this.#current === null ? [] : [this.#current])];
    for (const view of views) view.retire();
    for (const environment of new Set(views.map((view) => view.opened.environment)))
      await environment.close();
  }

  /** A pointer that changes while we run was written by a replicator that has just verified its target. */
  #followPointer(): void {
    const stamp = pointerStamp(this.#options);
    if (stamp === this.#pointerStamp) return;
    const { dataDir, dataset } = this.#options;
    const pointer = readPointer(dataDir, dataset.name);
    if (pointer === null) return;
    if (pointer.generation === null) this.#change(null);
    else if (pointer.generation !== this.#current?.generation) {
      const opened = openGeneration(this.#options, pointer.generation);
      // Null when it has another format or was removed; the next pointer decides.
      if (opened !== null) this.#change(this.#take(opened));
    }
    this.#pointerStamp = stamp;
  }

  #followHead(): void {
    const current = this.#current;
    if (current === null) return;
    const { opened } = current;
    const snapshot = opened.begin();
    const bytes = opened.headBytes(snapshot);
    if (current.isSameHead(bytes)) {
      this.#contact.look(current.head);
      snapshot.transaction.done();
      return;
    }
    const next = new HeldView(opened, snapshot, bytes, this.#memos, this.#contact);
    this.#contact.look(next.head);
    if (next.seq === current.seq) current.renew(snapshot, bytes);
    else this.#change(next);
  }

  #take(opened: OpenGeneration): HeldView {
    const snapshot = opened.begin();
    const view = new HeldView(opened, snapshot, opened.headBytes(snapshot), this.#memos, this.#contact);
    this.#contact.look(view.head);
    return view;
  }

  #change(next: HeldView | null): void {
    const before = this.#current;
    this.#current = next;
    if (before !== null) this.#retiring.set(before, this.#options.clock.monotonic() + RETIRE_AFTER_MS);
    for (const listener of this.#listeners) listener();
  }

  #retireOld(): void {
    const nowMs = this.#options.clock.monotonic();
    for (const [view, atMs] of this.#retiring) {
      if (nowMs < atMs) continue;
      view.retire();
      this.#retiring.delete(view);
      const { environment } = view.opened;
      const users = [...this.#retiring.keys(), this.#current];
      if (!users.some((user) => user?.opened.environment === environment)) void environment.close();
    }
  }
}

/** Changes with every rename of the pointer; cheaper than reading the file twenty times a second. */
function pointerStamp({ dataDir, dataset }: ReplicaOptions): string {
  const stat = statSync(pointerFile(dataDir, dataset.name), { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino}:${stat.mtimeMs}:${stat.size}`;
}
