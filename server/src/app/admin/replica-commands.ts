import { Command } from 'commander';
import { isReplicatorRunning } from '#platform/replica/exclusive.ts';
import { readPointer } from '#platform/replica/generations.ts';
import { type DatasetStatus, readStatus } from '#platform/replica/status.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { AdminContext } from './context.ts';

export type ReplicaCommandContext = Pick<AdminContext, 'out' | 'json'> & {
  readonly config: Pick<AdminContext['config'], 'DATA_DIR'>;
  /** By how much an import moved the dates of the corpus (`--rebase`); null when PostgreSQL is unreachable. */
  readonly movedDatesMs?: () => Promise<number | null>;
};

/** Shows the last status that the replicator wrote; it opens no file of the replica. */
export function replicaCommands(context: ReplicaCommandContext): Command {
  const replica = new Command('replica').description("This node's local replica.");
  replica
    .command('status')
    .description('Generation, sequence, size and age of each dataset.')
    .option('--json', 'print one JSON document')
    .action(async (options: { json?: true }) => {
      const movedMs = (await context.movedDatesMs?.()) ?? null;
      const report = {
        ...replicaReport(context.config.DATA_DIR),
        datesMovedDays: movedMs === null ? null : Math.round(movedMs / DAY_MS),
      };
      if (options.json === true) context.json(report);
      else for (const line of replicaLines(report)) context.out(line);
    });
  return replica;
}

type Report = {
  readonly replicatorAlive: boolean;
  readonly writtenAt: string | null;
  readonly datesMovedDays: number | null;
  readonly datasets: readonly (DatasetStatus & { readonly replicatorAlive: boolean })[];
};

function replicaReport(dataDir: string): Omit<Report, 'datesMovedDays'> {
  const replicatorAlive = isReplicatorRunning(dataDir);
  const status = readStatus(dataDir);
  const datasets = (status?.datasets ?? []).map((dataset) => ({
    ...dataset,
    // Taken from the pointer that listeners follow, because the status may be a quarter of a second older.
    generation: readPointer(dataDir, dataset.dataset)?.generation ?? dataset.generation,
    replicatorAlive,
  }));
  return { replicatorAlive, writtenAt: status?.writtenAt ?? null, datasets };
}

function replicaLines(report: Report): string[] {
  const replicator = report.replicatorAlive ? 'running' : 'not running';
  if (report.datasets.length === 0) return [`Replicator ${replicator}; there is no replica yet.`];
  const moved = report.datesMovedDays ?? 0;
  return [
    `Replicator ${replicator}; described at ${report.writtenAt}.`,
    ...(moved === 0 ? [] : [`Dates of imported lists are moved forward by ${moved} days (--rebase).`]),
    ...report.datasets.flatMap((dataset) => [
      `${dataset.dataset}: generation ${dataset.generation ?? 'none'}, snapshot ${dataset.snapshotId}, ${dataset.entries} entries`,
      `  ${dataset.bytes} bytes (${dataset.bytesPerEntry?.toFixed(1) ?? '-'} per entry), set hash ${dataset.setHash ?? '-'}`,
      `  complete at ${dataset.contactAt ?? 'never'}, verified at ${dataset.verifiedAt ?? 'never'}`,
      ...(dataset.rebuildReason === null ? [] : [`  being rebuilt: ${dataset.rebuildReason}`]),
    ]),
  ];
}
