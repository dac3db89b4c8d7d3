import {
  DATINGS,
  findSource,
  inMerge,
  KIND,
  type ListedRow,
  type MergeReport,
  type Source,
} from '#capabilities/corpus/index.ts';
import {
  ensureState,
  finishRun,
  holdIdleDataset,
  insertRun,
  readState,
} from '#capabilities/datasets/index.ts';
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
import * as rollback from './rollback-store.ts';

export type RollbackOptions = {
  /** The run whose content is restored; when absent, the content before the last merge. */
  readonly to?: string;
  readonly by?: string;
};
export type RollbackReport = MergeReport & { readonly runId: string; readonly dataAtMs: number };

const ROWS_PER_PAGE = 5_000;

/**
 * Restores earlier content of a source from the history that PostgreSQL keeps 90 days. The digest of the rolled back
 * bytes is stored, so that the same bytes are not taken again.
 */
export const rollbackSource = (
  deps: PipelineDeps,
  sourceId: string,
  options: RollbackOptions = {},
): Promise<RollbackReport> => holdIdleDataset(deps, sourceId, () => rollbackHeld(deps, sourceId, options));

async function rollbackHeld(
  deps: PipelineDeps,
  sourceId: string,
  options: RollbackOptions,
): Promise<RollbackReport> {
  const { clock, system } = deps;
  const source = await findSource(system.db, sourceId);
  if (source === undefined) throw notFound('Source', sourceId);
  await ensureState(system.db, source.number);
  const wanted = await wantedMerge(deps, source, options.to);
  const id = newId('run', clock.now());
  await insertRun(system.db, { id, sourceNumber: source.number, startedAtMs: clock.now() });
  try {
    const report = await restore(deps, source, { wanted, runId: id, by: options.by ?? 'an operator' });
    return { ...report, runId: id, dataAtMs: wanted.dataAtMs };
  } catch (error) {
    const reason = `The rollback failed: ${(error as Error).message}`;
    await finishRun(system.db, {
      id,
      finishedAtMs: clock.now(),
      status: 'failed',
      reason,
      phases: [],
    });
    throw error;
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
  const state = await readState(system.db, source.number);
  return inMerge(deps, source.id, async (merge) => {
    await merge.stage(listedAt(deps, source.number, wanted.mergedAt));
    const report = await merge.apply({ dataAtMs: wanted.dataAtMs, isWhole: true, allowEmpty: true });
    const { added, removed, changed } = report;
    const nowMs = clock.now();
    await rollback.saveRolledBack(merge.tx, {
      sourceNumber: source.number,
      contentSha256: wanted.contentSha256,
      heldSha256: state.contentSha256,
      problem: `${reason} The download that was taken back is not taken again.`,
      nowMs,
    });
    await finishRun(merge.tx, {
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
    await emit(merge.tx, { type: SourceUpdated, accountId: null, payload, occurredAt: new Date(nowMs) });
    return report;
  });
}

/** Reads pages by key on a connection of its own, because the merge's connection is busy with COPY. */
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
  dating: DATINGS[past.datedBy] ?? 'undated',
  ...(past.lastSeenMs === null ? {} : { lastSeenMs: past.lastSeenMs }),
  ...(past.confidence === null ? {} : { confidence: past.confidence }),
  ...(past.reference === null ? {} : { reference: past.reference }),
  ...(past.family === null ? {} : { family: past.family }),
  ...(past.rank === null ? {} : { rank: past.rank }),
});

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
