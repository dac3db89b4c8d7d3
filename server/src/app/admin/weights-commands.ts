import { Command } from 'commander';
import { findSource } from '#capabilities/corpus/index.ts';
import {
  type LearnReport,
  learnWeights,
  listVersions,
  openWeightBooks,
  releaseWeights,
  type WeightVersion,
} from '#capabilities/weights/index.ts';
import { AGE_GROUPS } from '#domain/weights/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import type { Postgres } from '#platform/postgres.ts';
import { weightsDeps } from '../weights-deps.ts';
import { type Json, onSystem, print } from './account-options.ts';
import { type AdminContext, AdminError } from './context.ts';
import { renderTable } from './table.ts';
import { changeLines, sideBySide, sourceLines } from './weights-tables.ts';

type LearnFlags = Json & { readonly dryRun?: boolean };

export function weightsCommands(context: AdminContext): Command {
  const weights = new Command('weights').description('What a listing of a name is worth, source by source.');
  weights
    .command('learn')
    .description('Learn the weights from the corpus now. Every node uses them within 15 seconds.')
    .option('--dry-run', 'change nothing; print the shipped table and what was counted side by side')
    .option('--json', 'print one JSON document')
    .action((options: LearnFlags) => learn(context, options));
  weights
    .command('show')
    .argument('<source>', 'id of the source')
    .description('What the entries of one source are worth, and why.')
    .option('--json', 'print one JSON document')
    .action((source: string, options: Json) => show(context, source, options));
  weights
    .command('release')
    .description('Put the version that waits into force.')
    .option('--json', 'print one JSON document')
    .action((options: Json) => release(context, options));
  weights
    .command('list')
    .description('The version in force, one that waits, and those that a replay can still use.')
    .option('--json', 'print one JSON document')
    .action((options: Json) => list(context, options));
  return weights;
}

export type LearnOn = {
  readonly config: Config;
  readonly system: Postgres;
  readonly clock: Clock;
  readonly log: Log;
};

export function learnOn(
  { config, system, clock, log }: LearnOn,
  run: { readonly isDryRun?: boolean } = {},
): Promise<LearnReport> {
  const artifacts = createArtifacts({ postgres: system, dataDir: config.DATA_DIR, log, clock });
  return learnWeights(
    { system, clock, log, ...weightsDeps({ config, log, postgres: system, artifacts }) },
    run,
  );
}

const learn = (context: AdminContext, options: LearnFlags): Promise<void> =>
  onSystem(context, async ({ postgres: system, clock }) => {
    const isDryRun = options.dryRun === true;
    const report = await learnOn({ ...context, system, clock }, { isDryRun });
    const { outcome, reasons, table } = report;
    print(context, options, { outcome, reasons, table }, [
      ...(isDryRun ? sideBySide(report) : changeLines(report.inForce, table)),
      sentenceOf(report),
      ...reasons,
    ]);
  });

function sentenceOf({ outcome, hasOwnReference, table }: LearnReport): string {
  const from = hasOwnReference
    ? `Counted with ${table.reference.hosts} hosts of your own.`
    : 'Counted without visited hosts of your own, so the counts of the release stay.';
  if (outcome === 'dry-run') return `${from} Nothing was changed.`;
  if (outcome === 'unchanged') return `${from} The weights in force stay.`;
  if (outcome === 'held')
    return `${from} What moves the shared lists waits. Let it through with: npm run admin -- weights release`;
  return `${from} Version ${table.version} is in force.`;
}

const show = (context: AdminContext, id: string, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres, clock }) => {
    const { config, log } = context;
    const source = await findSource(postgres.db, id);
    if (source === undefined)
      throw new AdminError(`There is no source '${id}'. See: npm run admin -- feeds list`);
    const artifacts = createArtifacts({ postgres, dataDir: config.DATA_DIR, log, clock });
    const weights = await openWeightBooks({ postgres, artifacts, dataDir: config.DATA_DIR, log });
    await weights.close();
    const book = weights.book();
    const cells = AGE_GROUPS.flatMap((group) => book.cellOf(id, group) ?? []);
    const document = {
      version: book.version,
      source: id,
      class: book.classOf(source),
      list: book.listOf(id),
      cells,
    };
    print(context, options, document, sourceLines(book, source));
  });

const release = (context: AdminContext, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres: system, clock }) => {
    const released = await releaseWeights({ system, clock, log: context.log });
    if (released === null) throw new AdminError('No version of the weights waits for a release.');
    print(context, options, documentOf(released), [
      `Version ${released.version} is in force. Every node uses it within 15 seconds.`,
    ]);
  });

const list = (context: AdminContext, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres }) => {
    const versions = await listVersions(postgres.db);
    const newest = versions.find(({ isHeld }) => !isHeld);
    print(context, options, { versions: versions.map(documentOf) }, [
      ...renderTable(
        [{ title: 'version' }, { title: 'digest' }, { title: 'in force since' }, { title: 'state' }],
        versions.map((version) => [
          version.version,
          version.digest,
          version.isHeld ? '' : timeOf(version),
          version.isHeld ? 'waits for weights release' : version === newest ? 'in force' : 'replaced',
        ]),
      ),
      ...versions.flatMap(({ details }) => details.reasons ?? []),
    ]);
  });

const timeOf = ({ atMs }: WeightVersion): string => new Date(atMs).toISOString();

const documentOf = (version: WeightVersion) => ({
  version: version.version,
  digest: version.digest,
  learnedOn: version.day,
  inForceSince: version.isHeld ? null : timeOf(version),
  waits: version.isHeld,
  reasons: version.details.reasons ?? [],
});
