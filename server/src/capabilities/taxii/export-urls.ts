import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  accuses,
  type FollowDeps,
  type FollowReport,
  followLog,
  KIND,
  LISTINGS,
  type LogReader,
  mayBeShared,
} from '#capabilities/corpus/index.ts';
import { createMoments, gatherCase, type MissCache } from '#capabilities/judging/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import { scoreCategoryOf } from '#domain/scoring/index.ts';
import type { Db } from '#platform/postgres.ts';
import { createExportJudge, type ExportDeps, exportRules } from './export-classes.ts';
import {
  listedUrls,
  putUrls,
  removeUrls,
  removeUrlsBetween,
  type UrlExport,
  type UrlText,
  urlsAmong,
} from './export-store.ts';
import { judgeExport } from './judge-export.ts';

/** Name of the follower's row; a claim on this row is needed to write any collection. */
export const TAXII = 'taxii';
const FIRST_KEY = Buffer.of(KIND.url);
const END_KEY = Buffer.of(KIND.url + 1);
const URLS_A_TURN = 500;
/** The categories whose collections hold URLs. */
const CATEGORIES: ReadonlySet<string> = new Set(['c2', 'phishing']);
const NO_MISSES: MissCache = { find: () => undefined, add: () => undefined };

/**
 * URLs have no standing, so their level is judged here: when a listing of one changes, and all of them every night. A
 * change of a URL's host is therefore seen only in the night.
 */
export const exportUrls = (deps: ExportDeps, follow: FollowDeps): Promise<FollowReport> =>
  followLog(readerOf(deps), follow);

function readerOf(deps: ExportDeps): LogReader<{ readonly rules: string }> {
  const { judge } = deps;
  const judgeUrl = createUrlJudge(deps);
  return {
    name: TAXII,
    collections: [LISTINGS],
    firstKey: FIRST_KEY,
    endKey: END_KEY,
    rulesNow: async () => ({ rules: exportRules(deps) }),
    isOfOtherRules: (stored, now) => (stored as { rules?: string }).rules !== now.rules,
    throughSeq: () => judge.corpus.seq(),
    walk: async (tx, after, _, limit) => {
      judge.refresh?.();
      const urls = await listedUrls(tx, { after, end: END_KEY, sources: sourcesOf(deps), limit });
      const last = urls.length < limit ? null : (urls.at(-1)?.key ?? null);
      const exported = await judgeAll(judgeUrl, urls);
      const put = await putUrls(tx, exported);
      const kept = exported.map(({ key }) => key);
      const removed = await removeUrlsBetween(tx, { after, through: last, end: END_KEY, kept });
      return { put, removed, read: urls.length, last };
    },
    follow: async (tx, changes) => {
      judge.refresh?.();
      const keys = [...new Map(changes.map(({ key }) => [key.toString('latin1'), key])).values()];
      return follow(tx, keys, await urlsAmong(tx, keys, sourcesOf(deps)), judgeUrl);
    },
  };
}

async function follow(tx: Db, keys: readonly Buffer[], listed: readonly UrlText[], judgeUrl: UrlJudge) {
  const exported = await judgeAll(judgeUrl, listed);
  const kept = new Set(exported.map(({ key }) => key.toString('latin1')));
  const gone = keys.filter((key) => !kept.has(key.toString('latin1')));
  return { put: await putUrls(tx, exported), removed: await removeUrls(tx, gone) };
}

/** Numbers of the sources whose listing can put a URL into a collection. */
const sourcesOf = ({ judge, audience }: ExportDeps): readonly number[] =>
  judge.corpus
    .registry()
    .sources.filter(
      (source) =>
        source.enabled &&
        accuses(source) &&
        CATEGORIES.has(scoreCategoryOf(source.category)) &&
        (audience === 'internal' ? source.exported !== false : mayBeShared(source)),
    )
    .map(({ number }) => number);

type UrlJudge = (url: UrlText) => UrlExport | null;

function createUrlJudge({ judge, audience }: ExportDeps): UrlJudge {
  const momentOf = createMoments({ ...judge, misses: NO_MISSES });
  const by = createExportJudge(audience);
  return ({ key, value }) => {
    const parsed = parseIndicator(value);
    if (!parsed.ok || parsed.indicator.kind !== 'url') return null;
    const { inner, moment } = momentOf(parsed.indicator, judge.clock.now());
    const told = judgeExport('url', gatherCase(inner, moment).input, by);
    return told.collections === 0 ? null : { ...told, key };
  };
}

async function judgeAll(judgeUrl: UrlJudge, urls: readonly UrlText[]): Promise<readonly UrlExport[]> {
  const exported: UrlExport[] = [];
  for (const [index, url] of urls.entries()) {
    const told = judgeUrl(url);
    if (told !== null) exported.push(told);
    if (index % URLS_A_TURN === URLS_A_TURN - 1) await nextTurn();
  }
  return exported;
}
