import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Postgres } from '../postgres.ts';
import { applyDelta } from './apply-delta.ts';
import { bootstrap } from './bootstrap.ts';
import type { Dataset } from './dataset.ts';
import type { WriterState } from './generation-writer.ts';
import {
  buildingFolder,
  condemnGeneration,
  finishGeneration,
  generationFolder,
  listGenerations,
  nextGeneration,
  readPointer,
  removeOldGenerations,
  removeUnfinished,
  writePointer,
} from './generations.ts';
import type { Head } from './head.ts';
import { countPending, oldestPendingAtMs, positionDoubt, readLogState } from './log-reader.ts';
import {
  replicaContactAgeSeconds,
  replicaEntries,
  replicaLagSeconds,
  replicaRebuilds,
  replicaSeq,
} from './replica-metrics.ts';
import { type DatasetStatus, snapshotId } from './status.ts';
import { verifyGeneration } from './verify.ts';
import { WriterCrashed, WriterProcess } from './writer-process.ts';

/** Up to this many changed keys are read with the timeouts of a poll (seconds), more with those of a batch. */
const SMALL_DELTA_KEYS = 5_000;
/** Above max(200,000, a quarter of the entries) a rebuild is cheaper; two million staged changes take about 150 MB. */
const DELTA_KEYS_MIN = 200_000;
const DELTA_SHARE = 0.25;
const DELTA_KEYS_MAX = 2_000_000;
const CONTACT_EVERY_MS = 1_000;
/** Compacts when copy-on-write has doubled the file since the last rewrite, and by at least this many bytes. */
const GROWTH_MAX = 2;
const GROWTH_SLACK_BYTES = 4_194_304;

export type FollowerDeps = {
  readonly dataset: Dataset;
  readonly dataDir: string;
  readonly log: Log;
  readonly clock: Clock;
  /** For polling and small deltas: fails within seconds. */
  readonly quick: Postgres;
  /** For rebuilds and large deltas. */
  readonly bulk: Postgres;
  /** The id of this start of the replicator, part of every attestation (exclusive.ts). */
  readonly replicatorId: string;
};

type Current = { readonly generation: string; readonly writer: WriterProcess; readonly state: WriterState };

export class Follower {
  readonly #deps: FollowerDeps;
  readonly #name: string;
  #current: Current | null = null;
  #rebuildReason: string | null = null;
  #verifiedAtMs = 0;
  #touchedAtMs = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #build: WriterProcess | null = null;
  #lastStatus: DatasetStatus | null = null;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
    this.#name = deps.dataset.name;
  }

  get rebuildReason(): string | null {
    return this.#rebuildReason;
  }

  get needsCompaction(): boolean {
    if (this.#current === null) return false;
    const { bytes, head } = this.#current.state;
    return bytes > head.builtBytes * GROWTH_MAX + GROWTH_SLACK_BYTES;
  }

  /** Works without PostgreSQL: the newest generation that passes verification serves again (reliability R2). */
  async start(): Promise<void> {
    removeUnfinished(this.#deps.dataDir, this.#name);
    await this.#serially(async () => {
      const pointed = readPointer(this.#deps.dataDir, this.#name)?.generation ?? null;
      const others = listGenerations(this.#deps.dataDir, this.#name).filter((name) => name !== pointed);
      const isBad = await this.#adoptFirstGood(pointed === null ? others : [pointed, ...others]);
      if (isBad) this.#rebuildReason ??= 'corrupt';
      if (this.#current === null) this.#rebuildReason ??= 'missing';
    });
  }

  /** Applies new changes from the log. Returns true when the replica holds everything PostgreSQL held at the call. */
  catchUp(): Promise<boolean> {
    return this.#serially(async () => {
      const current = this.#current;
      if (current === null) return false;
      try {
        return await this.#follow(current);
      } catch (error) {
        if (error instanceof WriterCrashed) await this.#reexamine(current, error.message);
        throw error;
      }
    });
  }

  async rebuild(reason: string): Promise<void> {
    const { dataset, bulk, clock, log } = this.#deps;
    log.info({ dataset: this.#name, reason }, 'replica rebuild started');
    replicaRebuilds.inc({ dataset: this.#name, reason });
    await this.#buildBeside((writer, folder, generation) =>
      bootstrap({ postgres: bulk, dataset, writer, nowMs: clock.now }, folder, generation),
    );
    if (this.#rebuildReason === reason) this.#rebuildReason = null;
    log.info({ dataset: this.#name, ...this.#summary() }, 'replica rebuilt');
  }

  /** Rewrites the entries into a dense file while the log is followed. Damage found on the way leads to a rebuild. */
  async compact(): Promise<void> {
    const current = this.#current;
    if (current === null) return;
    const { dataDir, clock, log } = this.#deps;
    const source = generationFolder(dataDir, this.#name, current.generation);
    const bytesBefore = current.state.bytes;
    try {
      await this.#buildBeside((writer, folder, generation) =>
        writer.call('rewrite', source, folder, generation, clock.now()),
      );
    } catch (error) {
      await this.verify();
      throw error;
    }
    log.info({ dataset: this.#name, bytesBefore, ...this.#summary() }, 'replica compacted');
  }

  /** Scans the serving generation completely; a damaged one is replaced by the one before it, then rebuilt. */
  async verify(): Promise<boolean> {
    const current = this.#current;
    if (current === null) return false;
    const folder = generationFolder(this.#deps.dataDir, this.#name, current.generation);
    const verdict = await verifyGeneration(folder);
    if (this.#current !== current) return true;
    if (verdict.ok) {
      this.#verifiedAtMs = this.#deps.clock.now();
      return true;
    }
    await this.#serially(() => this.#withdraw(current, verdict.reason));
    return false;
  }

  /** Removes unused generations; listeners leave a generation some seconds after a swap. */
  async sweep(): Promise<void> {
    const writer = this.#current?.writer;
    if (writer === undefined) return;
    await removeOldGenerations(this.#deps.dataDir, this.#name, (old) => writer.call('isRead', old));
  }

  status(): DatasetStatus {
    if (this.#lastStatus !== null) return this.#lastStatus;
    const state = this.#current?.state ?? null;
    const iso = (ms: number | undefined) =>
      ms === undefined || ms === 0 ? null : new Date(ms).toISOString();
    return {
      dataset: this.#name,
      generation: this.#current?.generation ?? null,
      seq: state?.head.seq ?? 0,
      snapshotId: snapshotId(state?.head.seq ?? 0),
      entries: state?.head.entries ?? 0,
      bytes: state?.bytes ?? 0,
      bytesPerEntry: state === null || state.head.entries === 0 ? null : state.bytes / state.head.entries,
      setHash: state?.head.setHash ?? null,
      contactAt: iso(state?.head.contactAtMs),
      verifiedAt: iso(this.#verifiedAtMs),
      isFollowing: state !== null && this.#rebuildReason === null,
      rebuildReason: this.#rebuildReason,
    };
  }

  async close(): Promise<void> {
    this.#build?.kill();
    await this.#serially(async () => {
      this.#lastStatus = this.status();
      await this.#current?.writer.close();
      this.#current = null;
    });
  }

  async #follow(current: Current): Promise<boolean> {
    const { quick, bulk, dataset, log, clock } = this.#deps;
    const { head } = current.state;
    const nowMs = clock.now();
    const begunMs = clock.monotonic();
    const logState = await readLogState(quick.db, this.#name, head.seq, head.seqAtUs);
    const doubt = head.format === dataset.format ? positionDoubt(head, logState) : 'format';
    if (doubt !== null) return this.#wantRebuild(doubt);
    if (logState.newestSeq === head.seq) {
      await this.#touch(current, nowMs, begunMs);
      this.#measure(head, 0, nowMs);
      return true;
    }
    const limit = Math.min(DELTA_KEYS_MAX, Math.max(DELTA_KEYS_MIN, Math.floor(head.entries * DELTA_SHARE)));
    const pending = await countPending(quick.db, this.#name, head.seq, limit + 1);
    if (pending > limit) return this.#wantRebuild('pending');
    const oldestMs = await oldestPendingAtMs(quick.db, this.#name, head.seq);
    this.#measure(head, oldestMs === null ? 0 : Math.max(0, nowMs - oldestMs), nowMs);
    const postgres = pending > SMALL_DELTA_KEYS ? bulk : quick;
    const result = await applyDelta({ postgres, dataset, writer: current.writer, log, clock }, head);
    if ('doubt' in result) return this.#wantRebuild(result.doubt);
    this.#current = { ...current, state: result.state };
    this.#touchedAtMs = result.state.head.contactAtMs;
    this.#measure(result.state.head, 0, clock.now());
    return true;
  }

  #wantRebuild(reason: string): false {
    this.#rebuildReason ??= reason;
    return false;
  }

  /** The contact time is written at most once a second, because it is a commit like any other. */
  async #touch(current: Current, nowMs: number, begunMs: number): Promise<void> {
    if (nowMs - this.#touchedAtMs < CONTACT_EVERY_MS && nowMs >= this.#touchedAtMs) return;
    const contact = { contactAtMs: nowMs, contactTookMs: this.#deps.clock.monotonic() - begunMs };
    await current.writer.call('touch', contact);
    const head = { ...current.state.head, ...contact };
    this.#current = { ...current, state: { ...current.state, head } };
    this.#touchedAtMs = nowMs;
  }

  /** Builds in one process, verifies in another, and publishes to listeners only after that. */
  async #buildBeside(
    fill: (writer: WriterProcess, folder: string, generation: string) => Promise<WriterState>,
  ): Promise<void> {
    const { dataDir } = this.#deps;
    const generation = nextGeneration(dataDir, this.#name);
    const folder = buildingFolder(dataDir, this.#name, generation);
    const writer = new WriterProcess();
    this.#build = writer;
    try {
      await fill(writer, folder, generation);
      await writer.call('close');
      const finished = finishGeneration(dataDir, this.#name, generation);
      const verdict = await verifyGeneration(finished);
      if (!verdict.ok) {
        condemnGeneration(dataDir, this.#name, generation);
        throw new Error(`The new generation of '${this.#name}' failed its verification: ${verdict.reason}.`);
      }
      await this.#serially(() => this.#swapTo(generation, finished, writer));
    } catch (error) {
      await writer.close();
      throw error;
    } finally {
      this.#build = null;
      removeUnfinished(dataDir, this.#name);
    }
    await this.sweep();
  }

  /** The new generation first catches up with the log, so that a swap never goes back in time. */
  async #swapTo(generation: string, folder: string, writer: WriterProcess): Promise<void> {
    const { dataset, bulk, log, clock } = this.#deps;
    let state = await writer.call('adopt', folder);
    const before = this.#current;
    try {
      const result = await applyDelta({ postgres: bulk, dataset, writer, log, clock }, state.head);
      if ('doubt' in result)
        throw new Error(`The log no longer leads to the new generation (${result.doubt}).`);
      state = result.state;
    } catch (error) {
      const isBehind =
        before !== null && this.#rebuildReason === null && state.head.seq < before.state.head.seq;
      if (isBehind || error instanceof WriterCrashed) {
        condemnGeneration(this.#deps.dataDir, this.#name, generation);
        throw error;
      }
      log.warn({ dataset: this.#name, err: error }, 'swapped without the latest changes');
    }
    this.#current = { generation, writer, state };
    this.#attest(generation);
    await before?.writer.close();
  }

  async #adoptFirstGood(candidates: readonly string[]): Promise<boolean> {
    let isBad = false;
    for (const generation of candidates) {
      const folder = generationFolder(this.#deps.dataDir, this.#name, generation);
      const verdict = await verifyGeneration(folder);
      if (verdict.ok && verdict.head.dataset === this.#name) {
        const writer = new WriterProcess();
        this.#current = { generation, writer, state: await writer.call('adopt', folder) };
        this.#attest(generation);
        if (verdict.head.format !== this.#deps.dataset.format) this.#rebuildReason ??= 'format';
        return isBad;
      }
      isBad = true;
      this.#condemn(generation, verdict.ok ? 'it belongs to another dataset' : verdict.reason);
    }
    this.#attest(null);
    return isBad;
  }

  /** The writer crashed, by itself or because of the file; a scan decides. */
  async #reexamine(current: Current, reason: string): Promise<void> {
    this.#deps.log.error({ dataset: this.#name, reason }, 'replica writer crashed');
    this.#current = null;
    const folder = generationFolder(this.#deps.dataDir, this.#name, current.generation);
    const verdict = await verifyGeneration(folder);
    if (!verdict.ok) return this.#withdraw(current, verdict.reason);
    const writer = new WriterProcess();
    this.#current = { generation: current.generation, writer, state: await writer.call('adopt', folder) };
  }

  async #withdraw(current: Current, reason: string): Promise<void> {
    await current.writer.close();
    this.#current = null;
    this.#condemn(current.generation, reason);
    this.#rebuildReason = 'corrupt';
    await this.#adoptFirstGood(listGenerations(this.#deps.dataDir, this.#name));
  }

  #condemn(generation: string, reason: string): void {
    this.#deps.log.error({ dataset: this.#name, generation, reason }, 'replica generation is damaged');
    condemnGeneration(this.#deps.dataDir, this.#name, generation);
  }

  /** Publishes this generation to listeners; null withdraws the damaged one. */
  #attest(generation: string | null): void {
    const { dataDir, replicatorId, clock } = this.#deps;
    this.#verifiedAtMs = generation === null ? 0 : clock.now();
    if (generation === null && readPointer(dataDir, this.#name) === null) return;
    writePointer(dataDir, this.#name, {
      generation,
      attestedBy: replicatorId,
      verifiedAtMs: this.#verifiedAtMs,
    });
  }

  #measure(head: Head, lagMs: number, nowMs: number): void {
    const labels = { dataset: this.#name };
    replicaSeq.set(labels, head.seq);
    replicaEntries.set(labels, head.entries);
    replicaLagSeconds.set(labels, lagMs / 1000);
    replicaContactAgeSeconds.set(labels, Math.max(0, nowMs - head.contactAtMs) / 1000);
  }

  #summary(): Record<string, unknown> {
    const status = this.status();
    return { generation: status.generation, seq: status.seq, entries: status.entries, bytes: status.bytes };
  }

  #serially<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work, work);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}
