import {
  type LoadContent,
  type LoadDeps,
  type LoadReport,
  overrulable,
} from '#capabilities/datasets/index.ts';
import { GateError } from '#capabilities/lists/index.ts';
import type { ToldCve } from '#domain/cve/index.ts';
import type { Db } from '#platform/postgres.ts';
import type { CveSourceRow } from '../sources/source-row.ts';
import { countTold, NOTHING_COUNTED, snapshotCounts } from './count-told.ts';
import * as store from './epss-store.ts';
import { judgeDoubles } from './judge-doubles.ts';
import { judgeEdition } from './judge-edition.ts';
import { judgeRefusals } from './judge-told.ts';
import { makeRecords } from './load-told.ts';
import { readDocuments } from './read-documents.ts';
import { saveQuality } from './stage-store.ts';

const ROWS_PER_STATEMENT = 50_000;

/** A day of EPSS replaces the one before: rows that did not change are not written. */
export async function loadEpss(
  deps: LoadDeps,
  source: CveSourceRow,
  content: LoadContent,
): Promise<LoadReport> {
  let counts = NOTHING_COUNTED;
  let declaredAt: string | null = null;
  let told = 0;
  const given = new Map<string, store.GivenScore>();
  for (const path of content.paths)
    await readDocuments(
      path,
      { wants: source.wants, skip: 0, ...(content.signal === undefined ? {} : { signal: content.signal }) },
      async (document, chars) => {
        const reading = source.read(document.path, document.text);
        counts = countTold(counts, reading.told, reading.refused, chars);
        declaredAt = source.declaredAt?.(document.text) ?? declaredAt;
        told += reading.told.length;
        for (const row of reading.told) if (!given.has(row.cveId)) given.set(row.cveId, scoreOf(row));
        content.onProgress?.(given.size);
      },
    );
  const snapshot = snapshotCounts(counts, null);
  overrulable(content, () => judgeRefusals(snapshot, source.rejectShareMax));
  const rows = [...given.values()];
  content.judge(snapshot, rows.length);
  judgeScores(rows);
  overrulable(content, () => judgeDoubles(told, told - rows.length));
  judgeEdition(content, declaredAt, deps.clock.now());
  await makeRecords(deps, content);
  const report = await deps.system.transaction(async (tx) => {
    const delta = await write(tx, rows);
    const loadedAtMs = deps.clock.now();
    await saveQuality(tx, { dataset: content.number, loadedAtMs, counts, isReleased: false });
    const loaded: LoadReport = {
      entries: rows.length,
      counts: snapshot,
      delta,
      ...(declaredAt === null
        ? {}
        : { cursor: { ...content.cursor, declaredAt }, dataAtMs: Date.parse(declaredAt) }),
    };
    await content.record(tx, loaded);
    await store.logEpssChanges(tx);
    return loaded;
  });
  await makeRecords(deps, content);
  return report;
}

const scoreOf = ({ cveId, epss }: ToldCve): store.GivenScore => ({
  cveId,
  score: epss?.score ?? 0,
  percentile: epss?.percentile ?? null,
});

async function write(tx: Db, rows: readonly store.GivenScore[]): Promise<LoadReport['delta']> {
  await store.allowMemory(tx);
  await store.createGiven(tx);
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT)
    await store.insertGiven(tx, rows.slice(at, at + ROWS_PER_STATEMENT));
  await store.createChanged(tx);
  await store.markSteps(tx);
  const { added, changed } = await store.writeChanged(tx);
  // The table has all rows of this day now; if it has more, the others are scores of earlier days.
  const removed = (await store.countEpss(tx)) > rows.length ? await store.removeGone(tx) : 0;
  return { added, changed, removed };
}

/** Refuses a day on which all scores are equal, which means that the publisher's model failed. */
function judgeScores(rows: readonly store.GivenScore[]): void {
  const first = rows[0]?.score;
  if (rows.length < 2 || rows.some(({ score }) => score !== first)) return;
  throw new GateError(
    'wrong-format',
    `All ${rows.length.toLocaleString('en-US')} scores are ${first}: the model of the publisher has most likely failed. It is asked again later.`,
    false,
  );
}
