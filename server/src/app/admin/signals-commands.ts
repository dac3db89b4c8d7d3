import { Command } from 'commander';
import { openNetworks } from '#capabilities/enrichment/index.ts';
import { listVersions, type TrainReport, trainSignals } from '#capabilities/signals/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';
import { type Json, onSystem, print } from './account-options.ts';
import type { AdminContext } from './context.ts';
import { count, renderTable } from './table.ts';

export function signalsCommands(context: AdminContext): Command {
  const signals = new Command('signals').description('What foresees a listing: names and networks.');
  signals
    .command('train')
    .description('Train the signals from the corpus now. Every node uses them within 15 seconds.')
    .option('--json', 'print one JSON document')
    .action((options: Json) => train(context, options));
  signals
    .command('list')
    .description('The version in force, and those before it that a replay can still use.')
    .option('--json', 'print one JSON document')
    .action((options: Json) => list(context, options));
  return signals;
}

const train = (context: AdminContext, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres, clock }) => {
    const { config, log } = context;
    const report = await trainOn({ system: postgres, clock, log, dataDir: config.DATA_DIR });
    print(context, options, documentOf(report), [sentenceOf(report)]);
  });

const list = (context: AdminContext, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres }) => {
    const versions = await listVersions(postgres.db);
    print(
      context,
      options,
      { versions: versions.map((version) => documentOf({ outcome: 'trained', version })) },
      versions.length === 0
        ? ['No signals yet. The worker trains them at night; now: npm run admin -- signals train']
        : renderTable(
            [
              { title: 'version' },
              { title: 'trained at' },
              { title: 'bytes', align: 'right' },
              { title: 'holds', widthMax: 160 },
            ],
            versions.map((version) => [
              version.version,
              new Date(version.trainedAtMs).toISOString(),
              count(version.bytes),
              contentsOf(version),
            ]),
          ),
    );
  });

export type TrainOn = {
  readonly system: Postgres;
  readonly clock: Clock;
  readonly log: Log;
  readonly dataDir: string;
};

export function trainOn({ dataDir, ...deps }: TrainOn): Promise<TrainReport> {
  const artifacts = createArtifacts({ postgres: deps.system, dataDir, log: deps.log, clock: deps.clock });
  return trainSignals({ ...deps, openNetworks: (db) => openNetworks(db, artifacts) });
}

const documentOf = ({ outcome, version: { trainedAtMs, ...version } }: TrainReport) => ({
  outcome,
  ...version,
  trainedAt: new Date(trainedAtMs).toISOString(),
});

const sentenceOf = ({ outcome, version }: TrainReport): string =>
  outcome === 'unchanged'
    ? `Version ${version.version} is in force already: the corpus teaches nothing new.`
    : `Version ${version.version} is in force: ${contentsOf(version)}.`;

const contentsOf = ({ details }: TrainReport['version']): string =>
  Object.entries(details)
    .map(([what, held]) => `${count(held)} ${what}`)
    .join(', ');
