import { Command } from 'commander';
import { type CatalogueRow, noticeOf } from '#capabilities/catalogue/index.ts';
import { type DescribedFeed, describeFeed, readFeedStatus } from '#capabilities/feeds/index.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { AdminError } from './context.ts';
import { reliabilityCommand } from './feeds-reliability.ts';
import { answer, type FeedsShell, JSON_OPTION, type Json } from './feeds-shell.ts';
import { suggestCommand } from './feeds-suggest.ts';
import { count, renderTable } from './table.ts';

export function listCommands(shell: FeedsShell): readonly Command[] {
  return [
    new Command('list')
      .description('Every source with its class, entries, the date of its data and its status.')
      .option(...JSON_OPTION)
      .action((options: Json) => list(shell, options)),
    new Command('status')
      .argument('[id]', 'a source; without it every source that needs attention')
      .description('The last run of a source, its next one, its problem, and what was not taken and why.')
      .option(...JSON_OPTION)
      .action((id: string | undefined, options: Json) => status(shell, id, options)),
    new Command('catalogue')
      .description('Every source the catalogue knows, with its licence and whether it is on by default.')
      .option(...JSON_OPTION)
      .action((options: Json) => catalogue(shell, options)),
    suggestCommand(shell),
    reliabilityCommand(shell),
    new Command('notice')
      .description('Credits and licences of the sources of the catalogue, to be passed on with their data.')
      .option(...JSON_OPTION)
      .action((options: Json) => notice(shell, options)),
  ];
}

const list = (shell: FeedsShell, options: Json): Promise<void> =>
  shell.on(async ({ system, clock }) => {
    const nowMs = clock.now();
    const sources = (await readFeedStatus(system.db, null)).map((source) => describeFeed(source, nowMs));
    answer(shell, options, { sources }, () => {
      if (sources.length === 0)
        return ['No sources yet. Start with: feeds import-manifest FOLDER, or feeds import my-list file.txt'];
      const table = renderTable(
        [
          { title: 'source' },
          { title: 'class' },
          { title: 'grade' },
          { title: 'scheduled' },
          { title: 'entries', align: 'right' },
          { title: 'data date' },
          { title: 'last fetch' },
          { title: 'status' },
        ],
        sources.map((source) => [
          source.id,
          source.threatClass,
          source.letter,
          source.scheduled ? 'yes' : 'no',
          count(source.entries),
          source.dataAt?.slice(0, 10) ?? 'never',
          fetchWords(source),
          source.status,
        ]),
      );
      return [...table, ...movedDates(sources.map(({ rebaseDays }) => rebaseDays))];
    });
  });

/** When the publisher last delivered the list. Data from files of an import is no answer of the publisher. */
const fetchWords = ({ ownList, fetchedAt }: DescribedFeed): string =>
  ownList ? 'your own list' : (fetchedAt?.slice(0, 10) ?? 'never fetched');

const status = (shell: FeedsShell, id: string | undefined, options: Json): Promise<void> =>
  shell.on(async ({ system, clock }) => {
    const nowMs = clock.now();
    const all = (await readFeedStatus(system.db, id ?? null)).map((source) => describeFeed(source, nowMs));
    if (id !== undefined) {
      const [source] = all;
      if (source === undefined) throw new AdminError(`There is no source '${id}'. See: feeds list`);
      return answer(shell, options, { source }, () => describe(source, nowMs));
    }
    const attention = all.filter(({ status: word }) => !['fresh', 'off'].includes(word));
    answer(shell, options, { sources: all }, () => [
      `${all.length} sources: ${wordCounts(all.map(({ status: word }) => word))}`,
      ...renderTable(
        [
          { title: 'source' },
          { title: 'status' },
          { title: 'data date' },
          { title: 'problem', widthMax: 100 },
        ],
        attention.map((source) => [
          source.id,
          source.status,
          source.dataAt?.slice(0, 10) ?? 'never',
          source.problem ?? source.lastRun?.reason ?? staleSentence(source, nowMs),
        ]),
      ),
      ...movedDates(all.map(({ rebaseDays }) => rebaseDays)),
    ]);
  });

const staleSentence = (source: DescribedFeed, nowMs: number): string => {
  const { status: word, dataAt } = source;
  if (word === 'expired') return ownSentence(source, nowMs) ?? '';
  return word === 'stale' && dataAt !== null ? `The data is ${daysOld(dataAt, nowMs)} days old.` : '';
};

/** Why an own list is not late, and until when it counts. */
const ownSentence = (source: DescribedFeed, nowMs: number): string | null => {
  const { ownList, importedAt, expiresAt, status: word } = source;
  if (!ownList || importedAt === null) return null;
  const days = daysOld(importedAt, nowMs);
  const until =
    expiresAt === null ? 'does not age and does not expire' : `counts fully until ${expiresAt.slice(0, 10)}`;
  const end =
    word === 'expired' ? `expired on ${expiresAt?.slice(0, 10)}; its entries no longer count` : until;
  return `imported ${days} ${days === 1 ? 'day' : 'days'} ago; it ${end}`;
};

const daysOld = (dataAt: string, nowMs: number): number => Math.floor((nowMs - Date.parse(dataAt)) / DAY_MS);

function describe(source: DescribedFeed, nowMs: number): readonly string[] {
  const { lastRun: run } = source;
  const age = source.dataAt === null ? '' : ` (${daysOld(source.dataAt, nowMs)} days old)`;
  const lines: readonly (readonly [string, string | null])[] = [
    ['source', `${source.id}  ${source.name}`],
    ['status', source.status],
    [
      'class',
      `${source.threatClass}, ${source.category}, grade ${source.letter}, reliability ${source.reliability.toFixed(2)}, risk of false positives ${source.fpRisk}`,
    ],
    ['entries', count(source.entries)],
    ['data date', source.dataAt === null ? 'never' : source.dataAt.slice(0, 10) + age],
    [
      'scheduled',
      source.scheduled ? `yes, next run ${source.nextRunAt ?? 'as soon as a worker is free'}` : 'no',
    ],
    ['own list', ownSentence(source, nowMs)],
    ['fetched', fetchWords(source)],
    ['checked at', source.checkedAt],
    [
      'problem',
      source.problem === null ? null : `${source.problem} (since ${source.problemSince ?? 'unknown'})`,
    ],
    [
      'quarantine',
      source.quarantinedBy === null ? null : `gate '${source.quarantinedBy}'; see: feeds quarantine`,
    ],
    ['lineage', source.cluster],
    ['license', source.licence],
    [
      'last run',
      run === null
        ? 'none'
        : `${run.status} at ${run.startedAt}${run.reason === null ? '' : `: ${run.reason}`}`,
    ],
  ];
  const counts =
    run?.lines === null || run?.lines === undefined
      ? []
      : [
          `${count(run.lines)} rows: ${count(run.accepted ?? 0)} accepted, ${count(run.unsupported ?? 0)} unsupported, ${count(run.rejected ?? 0)} rejected; ${count(run.added ?? 0)} added, ${count(run.removed ?? 0)} removed, ${count(run.changed ?? 0)} changed`,
        ];
  return [
    ...lines.flatMap(([title, text]) => (text === null ? [] : [`${title.padEnd(11)}${text}`])),
    ...counts.map((line) => `${''.padEnd(11)}${line}`),
    ...(run?.reasons ?? []).map(
      ({ kind, reason, count: times, example }) =>
        `${''.padEnd(11)}${count(times)} x ${kind}: ${reason} (${example})`,
    ),
    ...movedDates([source.rebaseDays]),
  ];
}

/** A note for every output with dates, so that an operator never takes a date moved by --rebase for a real one. */
export function movedDates(days: readonly number[]): readonly string[] {
  const most = days.reduce((largest, value) => Math.max(largest, value), 0);
  return most === 0 ? [] : [`Dates of imported lists are moved forward by ${most} days (--rebase).`];
}

function wordCounts(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, times]) => `${times} ${word}`).join(', ') || 'none yet';
}

const catalogue = (shell: FeedsShell, options: Json): Promise<void> =>
  shell.on(async (deps) => {
    const rows = deps.catalogue.map((row) => ({
      id: row.id,
      name: row.name,
      publisher: row.publisher,
      threatClass: row.threatClass,
      category: row.category,
      letter: row.letter,
      licence: row.licence.name,
      isRedistributable: row.licence.redistributable,
      needsConsent: row.licence.optIn === true,
      keyVariable: row.key?.env ?? null,
      isDefault: row.isDefault,
      urls: row.urls,
      note: row.offReason ?? row.note ?? null,
    }));
    answer(shell, options, { sources: rows }, () =>
      renderTable(
        [
          { title: 'source' },
          { title: 'publisher', widthMax: 28 },
          { title: 'class' },
          { title: 'licence', widthMax: 36 },
          { title: 'default' },
        ],
        deps.catalogue.map((row) => [
          row.id,
          row.publisher,
          row.threatClass,
          row.licence.name,
          defaultWord(row),
        ]),
      ),
    );
  });

const defaultWord = (row: CatalogueRow): string => {
  if (row.isDefault) return 'on';
  if (row.licence.optIn === true) return 'off: needs --accept-licence';
  return row.key === undefined ? 'off' : `off: needs ${row.key.env}`;
};

const notice = (shell: FeedsShell, options: Json): Promise<void> =>
  shell.on(async (deps) => {
    const text = noticeOf(deps.catalogue);
    answer(shell, options, { notice: text }, () => text.trimEnd().split('\n'));
  });
