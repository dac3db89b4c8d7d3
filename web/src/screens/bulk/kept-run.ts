import type { BulkRow } from '@assay/sdk';
import type { RestoredRun } from './run-state.ts';
import type { Tally } from './tally.ts';

/** Rows of a run that are kept for a reload. The page says when a run has more, which a reload would lose. */
export const KEPT_ROWS_MAX = 10_000;
const HEAD = 'assay.bulk-run';
const BATCH = 'assay.bulk-rows-';

/** The storage of this tab. A write returns false when the storage is blocked or full. */
export type TabStorage = {
  readonly read: (key: string) => string | null;
  readonly write: (key: string, value: string | null) => boolean;
};

export type RunHead = {
  /** The account that ran these checks; another account is not shown them. */
  readonly account: string;
  readonly entities: readonly string[];
  readonly tally: Tally;
  /** Hash of the text that the run was made from. */
  readonly textMark: string;
};
/** The rows of one answer. `answered` entities were asked, `charged` were paid for. */
export type KeptBatch = {
  readonly answered: number;
  readonly charged: number;
  readonly rows: readonly BulkRow[];
};

export type KeptRun = {
  /** True when the rows can be restored from now on, false when they are too many for this browser. */
  readonly begin: (head: RunHead) => boolean;
  readonly add: (batch: KeptBatch) => Promise<boolean>;
  readonly restore: (account: string) => Promise<{ run: RestoredRun; textMark: string } | null>;
  readonly hasAny: () => boolean;
  readonly forget: () => void;
};

/**
 * Keeps a run in the tab's storage, one compressed entry for each answer. Evidence repeats itself: 10,000 rows of 2 kB
 * fit into the 5 million characters that a browser gives a site. Rows after a missing entry are not restored.
 */
export function createKeptRun({ read, write }: TabStorage): KeptRun {
  let batches = 0;
  let rows = 0;
  /** Identifies the current list, to drop a batch whose compression ends after another list was started. */
  let list = Symbol('list');
  const forget = (): void => {
    list = Symbol('list');
    write(HEAD, null);
    // Entries that were written before a reload are not in `batches`, so deletes on until none is found.
    for (let nth = 0; nth < batches || read(BATCH + nth) !== null; nth += 1) write(BATCH + nth, null);
    batches = 0;
    rows = 0;
  };
  return {
    forget,
    hasAny: () => read(HEAD) !== null,
    begin: (head) => {
      forget();
      return write(HEAD, JSON.stringify(head));
    },
    add: async (batch) => {
      const mine = list;
      const nth = batches;
      batches += 1;
      rows += batch.rows.length;
      if (rows > KEPT_ROWS_MAX) return false;
      const packed = await pack(JSON.stringify(batch)).catch(() => null);
      return packed !== null && mine === list && write(BATCH + nth, packed);
    },
    restore: async (account) => {
      const head = parsed<RunHead>(read(HEAD));
      if (head === null) return null;
      if (head.account !== account) {
        forget();
        return null;
      }
      const kept: KeptBatch[] = [];
      for (let packed = read(BATCH + 0); packed !== null; packed = read(BATCH + kept.length)) {
        const batch = parsed<KeptBatch>(await unpack(packed).catch(() => null));
        if (batch === null) break;
        kept.push(batch);
      }
      batches = kept.length;
      const run = runOf(head, kept);
      rows = run.rows.length;
      return { run, textMark: head.textMark };
    },
  };
}

const runOf = ({ entities, tally }: RunHead, batches: readonly KeptBatch[]): RestoredRun => ({
  entities,
  tally,
  answered: batches.reduce((sum, { answered }) => sum + answered, 0),
  charged: batches.reduce((sum, { charged }) => sum + charged, 0),
  rows: batches.flatMap((batch) => batch.rows),
});

function parsed<T>(text: string | null): T | null {
  try {
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const pieces: string[] = [];
  // A call takes no more arguments than fit on the stack.
  for (let from = 0; from < bytes.length; from += 8_192)
    pieces.push(String.fromCharCode(...bytes.subarray(from, from + 8_192)));
  return btoa(pieces.join(''));
}

async function unpack(packed: string): Promise<string> {
  const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}

/** A short hash (FNV-1a) that shows whether the page still holds the text of the run. */
export function textMarkOf(text: string): string {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return `${text.length}-${(hash >>> 0).toString(16)}`;
}
