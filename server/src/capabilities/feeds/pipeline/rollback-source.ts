import {
  findSource,
  KIND,
  type ListedRow,
  type MergeReport,
  mergeSnapshot,
  type Source,
} from '#capabilities/corpus/index.ts';
import {
  type Listable,
  type ParseResult,
  parseAsn,
  parseCrypto,
  parseIndicator,
  parsePhone,
} from '#domain/indicator/index.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import { emit } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import { type PipelineDeps, SourceUpdated } from './contract.ts';
import { holdSource } from './hold-source.ts';
import * as rollback from './rollback-store.ts';
import * as store from './store.ts';

export type RollbackOptions = {
  /** The run whose content is wanted back; the content before the last merge when absent. */
  readonly to?: string;
  readonly by?: string;
};
export type RollbackReport = MergeReport & { readonly runId: string; readonly dataAtMs: number };

const ROWS_PER_PAGE = 5_000;

/**
 * Makes what a source listed earlier its content again, out of the history that PostgreSQL keeps 90 days. The bytes that
 * are rolled back are remembered: the same ones are not taken again.
 */
export async function rollbackSource(
  deps: PipelineDeps,
  sourceId: string,
  options: RollbackOptions = {},
): Promise<RollbackReport> {
  const { clock, system } = deps;
  const held = await holdSource(deps, sourceId);
  if (held === null)
    throw new ServiceError('Conflict', `A run of '${sourceId}' is going on; try again when it is over.`);
  try {
    const source = await findSource(system.db, sourceId);
    if (source === undefined) throw notFound('Source', sourceId);
    await store.ensureState(system.db, source.number);
    const wanted = await wantedMerge(deps, source, options.to);
    const id = newId('run', clock.now());
    await store.insertRun(system.db, { id, sourceNumber: source.number, startedAtMs: clock.now() });
    try {
      const report = await restore(deps, source, { wanted, runId: id, by: options.by ?? 'an operator' });
      return { ...report, runId: id, dataAtMs: wanted.dataAtMs };
    } catch (error) {
      const reason = `The rollback failed: ${(error as Error).message}`;
      await store.finishRun(system.db, {
        id,
        finishedAtMs: clock.now(),
        status: 'failed',
        reason,
        phases: [],
      });
      throw error;
    }
  } finally {
    await held.release();
  }
}

type Wanted = rollback.Merge & { readonly contentSha256: string | null };

async function wantedMerge(
  { system }: PipelineDeps,
  source: Source,
  to: string | undefined,
): Promise<Wanted> {
  const [newest, before] = await rollback.readMerges(system.db, source.number, 2);
  if (to !== undefined) {
    const merge = await rollback.readMergeOfRun(system.db, source.number, to);
    if (merge === null) throw notFound('Run with content', to);
    if (merge.mergedAt === newest?.mergedAt)
      throw new ServiceError('Conflict', `The content of run '${to}' is what '${source.id}' lists now.`);
    return merge;
  }
  if (before === undefined)
    throw new ServiceError(
      'Conflict',
      `'${source.id}' has no earlier content to return to. Disable it to stop using what it lists.`,
    );
  return {
    ...before,
    contentSha256: await rollback.readShaOfMerge(system.db, source.number, before.mergedAt),
  };
}

type Restoring = { readonly wanted: Wanted; readonly runId: string; readonly by: string };

async function restore(deps: PipelineDeps, source: Source, given: Restoring): Promise<MergeReport> {
  const { clock, system } = deps;
  const { wanted, runId } = given;
  const reason = `Rolled back by ${given.by} to the content of ${new Date(wanted.dataAtMs).toISOString().slice(0, 10)} (${wanted.entries.toLocaleString('en-US')} entries).`;
  const state = await store.readState(system.db, source.number);
  return mergeSnapshot(deps, source.id, listedAt(deps, source.number, wanted.mergedAt), {
    dataAtMs: wanted.dataAtMs,
    isWhole: true,
    allowEmpty: true,
    record: async (tx, report) => {
      const { added, removed, changed } = report;
      const nowMs = clock.now();
      await rollback.saveRolledBack(tx, {
        sourceNumber: source.number,
        contentSha256: wanted.contentSha256,
        heldSha256: state.contentSha256,
        problem: `${reason} The download that was taken back is not taken again.`,
        nowMs,
      });
      await store.finishRun(tx, {
        id: runId,
        finishedAtMs: nowMs,
        status: 'succeeded',
        reason,
        phases: [],
        contentSha256: wanted.contentSha256,
        dataAtMs: wanted.dataAtMs,
        mergedAtMs: Math.round(report.source.lastFetchAtS * 1_000),
        entries: report.source.entries,
        delta: { added, removed, changed },
      });
      const payload = {
        sourceId: source.id,
        version: report.source.version,
        added,
        removed,
        changed,
        firstLoad: false,
      };
      await emit(tx, { type: SourceUpdated, accountId: null, payload, occurredAt: new Date(nowMs) });
    },
  });
}

/** Pages by key on a connection of their own: the merge's is busy with COPY while they are read. */
async function* listedAt(
  { system }: PipelineDeps,
  sourceNumber: number,
  mergedAt: string,
): AsyncGenerator<readonly ListedRow[]> {
  let afterKey: Buffer = Buffer.alloc(0);
  for (;;) {
    const page = await rollback.readListedAt(system.db, {
      sourceNumber,
      mergedAt,
      afterKey,
      limit: ROWS_PER_PAGE,
    });
    if (page.length > 0) yield page.map(asRow);
    const last = page.at(-1);
    if (last === undefined || page.length < ROWS_PER_PAGE) return;
    afterKey = last.key;
  }
}

const asRow = (past: rollback.PastListing): ListedRow => ({
  indicator: indicatorOf(past.key[0] ?? 0, past.value),
  firstSeenMs: past.firstSeenMs,
  ...(past.lastSeenMs === null ? {} : { lastSeenMs: past.lastSeenMs }),
  ...(past.confidence === null ? {} : { confidence: past.confidence }),
  ...(past.reference === null ? {} : { reference: past.reference }),
  ...(past.family === null ? {} : { family: past.family }),
  ...(past.rank === null ? {} : { rank: past.rank }),
});

/** Kinds that `parseIndicator` does not know. */
const PARSERS: Readonly<Record<number, (text: string) => ParseResult<Listable>>> = {
  [KIND.asn]: parseAsn,
  [KIND.crypto]: parseCrypto,
  [KIND.phone]: parsePhone,
};

function indicatorOf(kind: number, value: string): Listable {
  const parsed = (PARSERS[kind] ?? parseIndicator)(value);
  if (!parsed.ok) throw new Error(`The listed value '${value}' can no longer be read: ${parsed.reason}`);
  return parsed.indicator;
}
