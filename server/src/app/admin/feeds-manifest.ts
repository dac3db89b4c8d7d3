import { Command } from 'commander';
import { readTotalThreats, refreshStatistics } from '#capabilities/analytics/index.ts';
import { HISTORY_FILES, OFFLINE_FILES } from '#capabilities/catalogue/index.ts';
import { isLargeMerge } from '#capabilities/corpus/index.ts';
import { CVE_DATASETS, CVE_FILES, CVE_FOLDERS } from '#capabilities/cve/index.ts';
import { type ImportDatasetsReport, parseManifest, readManifest } from '#capabilities/datasets/index.ts';
import { loadReferenceManifest } from '#capabilities/enrichment/index.ts';
import {
  announceImport,
  importManifest,
  type ManifestReport,
  type PipelineDeps,
  type SourceOutcome,
  wholeDays,
} from '#capabilities/feeds/index.ts';
import type { Reason } from '#capabilities/lists/index.ts';
import { RANSOMWARE_DATASETS, RANSOMWARE_FILES, RANSOMWARE_FOLDERS } from '#capabilities/ransomware/index.ts';
import { computeLineage } from '#capabilities/source-trust/index.ts';
import { holdScoring } from '#capabilities/standing/index.ts';
import { RefusedReference } from '#capabilities/weights/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { statisticsDeps } from '../statistics.ts';
import { AdminError } from './context.ts';
import {
  type DatasetFolder,
  datasetDocument,
  datasetLines,
  importDatasetFolder,
} from './dataset-manifest.ts';
import { answer, type FeedsShell, JSON_OPTION, type Json } from './feeds-shell.ts';
import { showProgress } from './progress.ts';
import { manifestLine, referenceDocument } from './reference-commands.ts';
import { trainOn } from './signals-commands.ts';
import { count, renderTable } from './table.ts';
import { learnOn } from './weights-commands.ts';

type ManifestFlags = Json & {
  readonly rebase?: boolean;
  readonly reread?: boolean;
  readonly accept?: readonly string[];
};

const CLASSES: readonly string[] = ['threat', 'infrastructure', 'policy', 'allowlist'];
const REASONS_MAX = 40;
const EXAMPLES_MAX = 3;

/** Imports a whole data set: the quickest way to a corpus of real size, and the only one without a network. */
export const manifestCommand = (shell: FeedsShell): Command =>
  new Command('import-manifest')
    .argument('<folder>', 'folder with MANIFEST.json and the files it names')
    .description(
      'Import an offline data set: every list it names that the catalogue knows, and its reference data.',
    )
    .option(
      '--rebase',
      'move the dates of listings forward by the same whole days, so that the newest day is today; other dates stay',
    )
    .option('--reread', 'read and compare also what was imported before with the same content')
    .option('--accept <ids...>', 'sources to take although their size or rejected share is out of bounds')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      `
Each list keeps the date the manifest gives it; the time of the import is never taken for it. Stopped half-way, the same
command goes on where it was. A list that fails a gate is reported, and the others are imported all the same.

Example:
  npm run admin -- feeds import-manifest ../data --rebase`,
    )
    .action((folder: string, options: ManifestFlags) => run(shell, folder, options));

const run = (shell: FeedsShell, folder: string, options: ManifestFlags): Promise<void> =>
  shell.on(async (deps) => {
    const stop = new AbortController();
    const onInterrupt = () => stop.abort(new AdminError(STOPPED));
    process.once('SIGINT', onInterrupt);
    const progress = showProgress(deps);
    let releaseScoring: (() => Promise<void>) | null = null;
    try {
      const offline = { ...deps, offlineFiles: OFFLINE_FILES, historyFiles: HISTORY_FILES };
      const { isFirst } = await announceImport(offline, folder);
      if (isFirst) releaseScoring = await holdScoring(deps.system);
      progress.update({ label: 'reference data' });
      // Reference data comes first, while this process is small: reading ATT&CK takes about 300 MB for a second.
      const references = await loadReferenceManifest(
        { clock: deps.clock, transaction: deps.system.transaction },
        folder,
      );
      const report = await importManifest(offline, folder, {
        rebase: options.rebase === true,
        reread: options.reread === true,
        accept: options.accept ?? [],
        signal: stop.signal,
        onProgress: ({ rows, bytesDone, bytesTotal, label }) =>
          progress.update({ rows, bytesDone, bytesTotal, label }),
        onSource: (outcome) => {
          // With --json these outcomes are only in the document.
          const isNews = ['quarantined', 'refused', 'held'].includes(outcome.status);
          if (options.json !== true && isNews)
            progress.note(`${outcome.id}: ${outcome.status}. ${outcome.reason}`);
        },
      });
      const others = await importOtherFolders(deps, folder, options);
      progress.update({ label: 'which lists copy each other' });
      await settleLineage(deps, report);
      progress.update({ label: 'counting threats' });
      const threats = await countThreats(deps, report);
      progress.update({ label: 'training signals' });
      // The nightly job would come hours later; until then a new corpus would have no signals.
      if (isChanged(report)) await trainOn(deps);
      progress.update({ label: 'learning weights' });
      if (isChanged(report)) await settleWeights(shell, deps, (text) => progress.note(text));
      progress.stop();
      const document = {
        ...documentOf(report, threats),
        references: references.map(referenceDocument),
        datasets: others.map(datasetDocument),
      };
      answer(shell, options, document, () => [
        ...lines(report),
        ...totalsLines(document),
        ...references.map(manifestLine),
        ...others.flatMap(datasetLines),
      ]);
      const refused = report.sources.filter(({ status }) => status === 'refused').length;
      if (refused > 0)
        throw new AdminError(
          `${refused} of ${report.sources.length} sources were refused because their files are not those of the manifest; everything else is done.`,
        );
    } finally {
      await releaseScoring?.();
      progress.stop();
      process.off('SIGINT', onInterrupt);
    }
  });

/** Capabilities with data sets of their own in the same folder. */
const OTHER_FOLDERS: readonly DatasetFolder[] = [
  { folders: CVE_FOLDERS, files: CVE_FILES, definitions: CVE_DATASETS },
  { folders: RANSOMWARE_FOLDERS, files: RANSOMWARE_FILES, definitions: RANSOMWARE_DATASETS },
];

const FOLDERS = OTHER_FOLDERS.flatMap(({ folders }) => folders);

/** Imports the data sets of other capabilities. It is no mistake when the folder has no files for one of them. */
async function importOtherFolders(deps: PipelineDeps, folder: string, options: ManifestFlags) {
  const paths = parseManifest(await readManifest(folder), FOLDERS).map(({ path }) => path);
  const reports: ImportDatasetsReport[] = [];
  for (const other of OTHER_FOLDERS) {
    const isThere = other.files.some(({ path, dataset }) => dataset !== null && paths.includes(path));
    if (isThere) reports.push(await importDatasetFolder(deps, { ...other, ...options, folder }));
  }
  return reports;
}

const STOPPED = 'Stopped. Run the same command again and it goes on where it was.';

/** Measures lineage after a large change; else copies of a list would count as independent until the nightly job. */
async function settleLineage(deps: PipelineDeps, { isFirstLoad, sources }: ManifestReport): Promise<void> {
  const isDue = sources.some(({ entries, added, removed }) =>
    isLargeMerge({ source: { entries }, added, removed }),
  );
  if (isFirstLoad || isDue) await computeLineage(deps);
}

/** Reads the suspicions of the signals, so it comes after them. A reference that cannot be read does not undo an import. */
async function settleWeights(
  { context }: FeedsShell,
  { system, clock, log }: PipelineDeps,
  note: (text: string) => void,
): Promise<void> {
  try {
    await learnOn({ config: context.config, system, clock, log });
  } catch (error) {
    if (!(error instanceof RefusedReference)) throw error;
    note(`The weights were not learned: ${error.message}`);
  }
}

const isChanged = ({ sources }: ManifestReport): boolean =>
  sources.some(({ added, removed, changed }) => added + removed + changed > 0);

/** Updates the figures of `/stats` after an import; without a change they stay. */
async function countThreats(deps: PipelineDeps, report: ManifestReport): Promise<number | null> {
  const known = await readTotalThreats(deps.system.db);
  if (known !== null && !isChanged(report)) return known;
  const { clock, system, dataDir, log } = deps;
  const artifacts = createArtifacts({ postgres: system, dataDir, log, clock });
  await refreshStatistics(
    { ...statisticsDeps(clock, artifacts), transaction: system.transaction },
    { wait: true },
  );
  return readTotalThreats(system.db);
}

function documentOf(report: ManifestReport, threats: number | null) {
  const { sources } = report;
  const read = sources.flatMap(({ counts }) => (counts === null ? [] : [counts]));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const rows = sum(read.map(({ lines: value }) => value));
  const totals = {
    sources: sources.length,
    imported: sources.filter(({ status }) => status === 'imported').length,
    unchanged: sources.filter(({ status }) => status === 'unchanged').length,
    quarantined: sources.filter(({ status }) => status === 'quarantined').length,
    refused: sources.filter(({ status }) => status === 'refused').length,
    held: sources.filter(({ status }) => status === 'held').length,
    rows,
    accepted: sum(read.map(({ accepted }) => accepted)),
    unsupported: sum(read.map(({ unsupported }) => unsupported)),
    rejected: sum(read.map(({ rejected }) => rejected)),
    disposed: sum(read.map(({ disposed }) => disposed)),
    duplicates: sum(sources.map(({ duplicates }) => duplicates)),
    entries: sum(sources.map(({ entries }) => entries)),
    /** Distinct indicators that a threat source lists, as in `/stats`. */
    threats,
    added: sum(sources.map(({ added }) => added)),
    removed: sum(sources.map(({ removed }) => removed)),
    changed: sum(sources.map(({ changed }) => changed)),
    seconds: Math.round(report.seconds * 10) / 10,
    rowsPerSecond: report.seconds === 0 ? 0 : Math.round(rows / report.seconds),
  };
  return {
    rebaseDays: wholeDays(report.rebaseMs),
    isFirstLoad: report.isFirstLoad,
    totals,
    sources: sources.map(({ dataAtMs, counts, ...source }) => ({
      ...source,
      dataAt: new Date(dataAtMs).toISOString(),
      rows: counts?.lines ?? null,
      accepted: counts?.accepted ?? null,
      unsupported: counts?.unsupported ?? null,
      rejected: counts?.rejected ?? null,
      disposed: counts?.disposed ?? null,
      reasons: counts?.reasons ?? [],
    })),
    reasons: reasonsOf(sources),
    notImported: {
      variants: report.variants,
      leftOut: report.leftOut,
      unknown: report.unknown,
      absent: report.absent,
    },
  };
}
type Document = ReturnType<typeof documentOf>;

function lines(report: ManifestReport): readonly string[] {
  const sources = report.sources.toSorted(
    (a, b) =>
      CLASSES.indexOf(a.threatClass) - CLASSES.indexOf(b.threatClass) ||
      (b.counts?.lines ?? 0) - (a.counts?.lines ?? 0) ||
      a.id.localeCompare(b.id),
  );
  return [
    ...renderTable(
      [
        { title: 'source', widthMax: 40 },
        { title: 'class' },
        { title: 'rows', align: 'right' },
        { title: 'accepted', align: 'right' },
        { title: 'unsupported', align: 'right' },
        { title: 'rejected', align: 'right' },
        { title: 'top reason', widthMax: 60 },
      ],
      [...sources.map(tableRow), null, totalRow(sources)],
    ),
    '',
    ...reasonLines(reasonsOf(report.sources)),
    ...notImportedLines(report),
  ];
}

function tableRow({ id, threatClass, status, counts }: SourceOutcome): readonly string[] {
  if (counts === null) return [id, threatClass, '-', '-', '-', '-', status];
  const figures = [counts.lines, counts.accepted, counts.unsupported, counts.rejected].map(count);
  const top = counts.reasons.toSorted((a, b) => rank(a) - rank(b) || b.count - a.count)[0];
  const words = [status === 'imported' ? '' : status, top === undefined ? '' : top.reason];
  return [id, threatClass, ...figures, words.filter((word) => word !== '').join(': ')];
}

/** Rejected entries come before unsupported ones, because only the former may be our mistake. */
const KINDS: readonly Reason['kind'][] = ['rejected', 'disposed', 'unsupported'];
const rank = ({ kind }: Reason): number => KINDS.indexOf(kind);

function totalRow(sources: readonly SourceOutcome[]): readonly string[] {
  const total = (figure: (counts: NonNullable<SourceOutcome['counts']>) => number) =>
    count(sources.reduce((sum, { counts }) => sum + (counts === null ? 0 : figure(counts)), 0));
  return [
    `${sources.length} sources`,
    '',
    total(({ lines: rows }) => rows),
    total(({ accepted }) => accepted),
    total(({ unsupported }) => unsupported),
    total(({ rejected }) => rejected),
    '',
  ];
}

type ReasonTotal = Pick<Reason, 'kind' | 'reason' | 'count'> & {
  /** Examples of entries with this reason, each as `value (source)`. */
  readonly examples: readonly string[];
};

function reasonsOf(sources: readonly SourceOutcome[]): readonly ReasonTotal[] {
  const seen = new Map<
    string,
    { kind: Reason['kind']; reason: string; parts: { of: string; count: number; example: string }[] }
  >();
  for (const { id, counts } of sources)
    for (const { kind, reason, count: times, example } of counts?.reasons ?? []) {
      const total = seen.get(`${kind} ${reason}`) ?? { kind, reason, parts: [] };
      total.parts.push({ of: id, count: times, example });
      seen.set(`${kind} ${reason}`, total);
    }
  return [...seen.values()]
    .map(({ kind, reason, parts }) => ({
      kind,
      reason,
      count: parts.reduce((sum, part) => sum + part.count, 0),
      examples: parts
        .toSorted((a, b) => b.count - a.count)
        .slice(0, EXAMPLES_MAX)
        .map(({ of, example }) => `${example} (${of})`),
    }))
    .toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || b.count - a.count);
}

function reasonLines(reasons: readonly ReasonTotal[]): readonly string[] {
  if (reasons.length === 0) return [];
  return [
    'Not listed, and why:',
    ...renderTable(
      [
        { title: 'rows', align: 'right' },
        { title: 'kind' },
        { title: 'reason', widthMax: 80 },
        { title: 'such as', widthMax: 90 },
      ],
      reasons
        .slice(0, REASONS_MAX)
        .map(({ kind, reason, count: times, examples }) => [count(times), kind, reason, examples[0] ?? '']),
    ),
    '',
  ];
}

function notImportedLines(report: ManifestReport): readonly string[] {
  const { unknown, absent, variants, leftOut } = report;
  return [
    ...(variants.length + leftOut.length === 0
      ? []
      : [
          `${variants.length} files are other forms of these lists; ${leftOut.length} were left out on purpose.`,
        ]),
    ...(absent.length === 0 ? [] : [`${absent.length} files the catalogue knows are not in this data set.`]),
    ...unknown.map(({ path, why }) => `Unknown: ${path}. ${why}`),
  ];
}

function totalsLines({ totals, rebaseDays }: Document): readonly string[] {
  const others = (['unchanged', 'quarantined', 'refused', 'held'] as const).flatMap((word) =>
    totals[word] === 0 ? [] : [`${count(totals[word])} ${word}`],
  );
  return [
    `${count(totals.imported)} of ${count(totals.sources)} sources imported${others.length === 0 ? '' : `, ${others.join(', ')}`}.`,
    `${count(totals.rows)} rows in ${count(totals.seconds)} s (${count(totals.rowsPerSecond)} rows/s); ${count(totals.entries)} listings, ${count(totals.duplicates)} duplicates, ${count(totals.added)} added, ${count(totals.removed)} removed, ${count(totals.changed)} changed.`,
    ...(totals.quarantined === 0
      ? []
      : [
          'What a gate refused is kept out; look at it (feeds status ID), and take it all the same with --accept ID.',
        ]),
    ...(totals.threats === null ? [] : [`${count(totals.threats)} distinct threat indicators.`]),
    ...(rebaseDays === 0
      ? []
      : [
          `The dates of listings were moved forward by ${count(rebaseDays)} days; those of CVEs and ransomware claims were not.`,
        ]),
  ];
}
