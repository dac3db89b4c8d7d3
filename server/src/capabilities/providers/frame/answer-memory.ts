import type { Outcome } from '../outcome.ts';

/** One cached answer of one process. Times are monotonic, because a wall clock may jump (reliability R3). */
export type MemoryEntry = {
  readonly outcome: Outcome<unknown>;
  readonly freshUntilMs: number;
  /** Until then it may replace the answer of a failing upstream. */
  readonly staleUntilMs: number;
  readonly bytes: number;
};

const ENTRIES_MAX = 20_000;
const BYTES_MAX = 32 * 1024 * 1024;
const ENTRY_BYTES = 400;

export class AnswerMemory {
  readonly #entries = new Map<string, MemoryEntry>();
  readonly #entriesMax: number;
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(entriesMax = ENTRIES_MAX, bytesMax = BYTES_MAX) {
    this.#entriesMax = entriesMax;
    this.#bytesMax = bytesMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  find(id: string): MemoryEntry | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry;
  }

  set(id: string, entry: MemoryEntry): void {
    this.#remove(id);
    this.#entries.set(id, entry);
    this.#bytes += entry.bytes + ENTRY_BYTES;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#entriesMax && this.#bytes <= this.#bytesMax) return;
      this.#remove(oldest);
    }
  }

  #remove(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#bytes -= entry.bytes + ENTRY_BYTES;
  }
}
