import {
  findDataset,
  type LoadContent,
  type LoadDeps,
  type LoadReport,
  overrulable,
} from '#capabilities/datasets/index.ts';
import { GateError } from '#capabilities/lists/index.ts';
import { replaceGroups } from './group-write-store.ts';
import { inferAgain } from './infer-missing.ts';
import { loadPosts } from './load-posts.ts';
import { lockLoads } from './load-store.ts';
import { replacePress } from './press-write-store.ts';
import { type Content, type Format, judgeRows, readContent } from './read-content.ts';

export type Loaded = { readonly id: string; readonly format: Format };

/**
 * Loads one file of a tracker. Posts add up and are written in batches; groups and articles are replaced in one
 * transaction. Either way the last transaction also records the run.
 */
export async function loadContent(
  deps: LoadDeps,
  { id, format }: Loaded,
  content: LoadContent,
): Promise<LoadReport> {
  const [path, ...more] = content.paths;
  if (path === undefined || more.length > 0)
    throw new GateError('wrong-format', 'This data set is one file. Load files one by one.', false);
  const read = await readContent(format, path, { ...content, nowMs: deps.clock.now() });
  overrulable(content, () => judgeRows(read));
  content.judge(read.counts, read.rows.length);
  const before = (await findDataset(deps.system.db, id))?.dataAtMs ?? null;
  if (read.holds === 'posts') return loadPosts(deps, { content, read, before }, read.rows);
  if (before !== null && content.dataAtMs < before)
    overrulable(content, () => {
      throw new GateError(
        'older',
        'The publisher sent older data than what is in use. It is asked again later.',
        true,
        read.counts,
      );
    });
  return replaceRows(deps, content, read);
}

type Rows = Exclude<Content, { readonly holds: 'posts' }>;

const replaceRows = ({ system }: LoadDeps, content: LoadContent, read: Rows): Promise<LoadReport> =>
  system.transaction(async (tx) => {
    await lockLoads(tx);
    const { entries, ...delta } =
      read.holds === 'groups'
        ? { ...(await replaceGroups(tx, content.datasetId, read.rows)), entries: read.rows.length }
        : await replacePress(tx, content.datasetId, read.rows);
    if (read.holds === 'press') await inferAgain(tx);
    const report = { entries, counts: read.counts, delta };
    await content.record(tx, report);
    content.onProgress?.(read.rows.length);
    return report;
  });
