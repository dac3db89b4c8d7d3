import { Command } from 'commander';
import { rebuildCollections, recordCollections, taxiiStatus } from '#capabilities/taxii/index.ts';
import { newId } from '#platform/ids.ts';
import { openJudge } from '../open-judge.ts';
import { type Json, onSystem, print } from './account-options.ts';
import { type AdminContext, AdminError } from './context.ts';
import { excludedWords } from './excluded-words.ts';
import { showProgress } from './progress.ts';
import { count } from './table.ts';

const WAIT_MS = 60_000;

export function taxiiCommands(context: AdminContext): Command {
  const taxii = new Command('taxii').description('The shared TAXII collections.');
  const add = (name: string, description: string, run: (options: Json) => Promise<void>) =>
    taxii.command(name).description(description).option('--json', 'print one JSON document').action(run);
  add('rebuild', 'Judge and compare everything now. What did not change keeps its dates.', (options) =>
    rebuild(context, options),
  );
  add('status', 'How many objects each collection has, and when they were last compared.', (options) =>
    status(context, options),
  );
  return taxii;
}

const rebuild = (context: AdminContext, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres, clock }) => {
    const { config, log } = context;
    const judge = await openJudge({ postgres, dataDir: config.DATA_DIR, log, clock, waitMs: WAIT_MS });
    const progress = showProgress({ clock });
    try {
      const { transaction } = postgres;
      const report = await recordCollections({ clock, transaction }, () =>
        rebuildCollections(
          {
            judge,
            audience: config.DISTRIBUTION,
            onPublished: (rows) => progress.update({ rows, label: 'objects' }),
          },
          {
            run: newId('run', clock.now()),
            transaction,
            onProgress: ({ read }) => progress.update({ rows: read, label: 'URLs' }),
          },
        ),
      );
      if (!report.isOurs)
        throw new AdminError(
          'Another run is at work on the collections, or not every indicator is scored yet. To wait for it: npm run admin -- standing follow',
        );
      const sizes = (await taxiiStatus(postgres.db)).collections;
      print(context, options, report, [
        `${count(report.published)} published, ${count(report.left)} left, in ${(report.tookMs / 1_000).toFixed(1)} s; ${count(report.judged)} classes and ${count(report.urls?.read ?? 0)} URLs judged.`,
        ...sizes.map(({ id, objects }) => {
          const excluded = report.excluded?.[id];
          return `${id}: ${count(objects)} ${objects === 1 ? 'object' : 'objects'}${excluded === undefined ? '' : `; ${excludedWords(excluded)}`}.`;
        }),
      ]);
    } finally {
      progress.stop();
      await judge.close();
    }
  });

const status = (context: AdminContext, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres }) => {
    const told = await taxiiStatus(postgres.db);
    print(context, options, told, [
      ...told.collections.map(
        ({ id, objects, left }) => `${id}: ${count(objects)} objects, ${count(left)} left in 90 days.`,
      ),
      `Compared ${told.syncedAt?.toISOString() ?? 'never'}; rebuilt ${told.rebuiltAt === null ? 'never' : `${told.rebuiltAt.toISOString()} in ${((told.rebuildMs ?? 0) / 1_000).toFixed(1)} s`}.`,
    ]);
  });
