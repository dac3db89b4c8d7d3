import type { LoadContent, LoadDeps, LoadReport } from '#capabilities/datasets/index.ts';
import { GateError } from '#capabilities/lists/index.ts';
import type { ToldCve } from '#domain/cve/index.ts';
import { mergePending } from '../merge/merge-pending.ts';
import type { CveSourceRow } from '../sources/source-row.ts';
import { countTold, NOTHING_COUNTED, snapshotCounts } from './count-told.ts';
import * as store from './epss-store.ts';
import { judgeRefusals } from './judge-told.ts';
import { judgeEdition, overrulable } from './load-told.ts';
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
  const told: ToldCve[] = [];
  for (const path of content.paths)
    await readDocuments(
      path,
      { wants: source.wants, skip: 0, ...(content.signal === undefined ? {} : { signal: content.signal }) },
      async (document, chars) => {
        const reading = source.read(document.path, document.text);
        counts = countTold(counts, reading.told, reading.refused, chars);
        declaredAt = source.declaredAt?.(document.text) ?? declaredAt;
        told.push(...reading.told);
        content.onProgress?.(told.length);
      },
    );
  const snapshot = snapshotCounts(counts, null);
  overrulable(content, () => judgeRefusals(snapshot, source.rejectShareMax));
  content.judge(snapshot, told.length);
  judgeScores(told);
  judgeEdition(content, declaredAt);
  const report = await deps.system.transaction(async (tx) => {
    await store.createGiven(tx);
    for (let at = 0; at < told.length; at += ROWS_PER_STATEMENT) {
      const rows = told.slice(at, at + ROWS_PER_STATEMENT);
      await store.insertGiven(
        tx,
        rows.map(({ cveId }) => cveId),
        rows.map(({ epss }) => epss?.score ?? 0),
        rows.map(({ epss }) => epss?.percentile ?? null),
      );
    }
    await store.markSteps(tx);
    const delta = await store.applyGiven(tx);
    await saveQuality(tx, { dataset: content.number, loadedAtMs: deps.clock.now(), counts });
    const loaded: LoadReport = {
      entries: await store.countEpss(tx),
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
  await mergePending(deps, content.signal === undefined ? {} : { signal: content.signal });
  return report;
}

/** A model that failed gives every CVE the same score. */
function judgeScores(told: readonly ToldCve[]): void {
  const first = told[0]?.epss?.score;
  if (told.length < 2 || told.some(({ epss }) => epss?.score !== first)) return;
  throw new GateError(
    'wrong-format',
    `All ${told.length.toLocaleString('en-US')} scores are ${first}: the model of the publisher has most likely failed. It is asked again later.`,
    false,
  );
}
