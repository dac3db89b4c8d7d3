import { Command } from 'commander';
import { isReplicatorRunning } from '#platform/replica/exclusive.ts';
import { readPointer } from '#platform/replica/generations.ts';
import { type DatasetStatus, readStatus } from '#platform/replica/status.ts';
import type { AdminContext } from './context.ts';

export type ReplicaCommandContext = Pick<AdminContext, 'out' | 'json'> & {
  readonly config: Pick<AdminContext['config'], 'DATA_DIR'>;
};

/** The local replica, as its replicator last described it: no file of the replica is opened for this. */
export function replicaCommands(context: ReplicaCommandContext): Command {
  const replica = new Command('replica').description("This node's local replica.");
  replica
    .command('status')
    .description('Generation, sequence, size and age of each dataset.')
    .option('--json', 'print one JSON document')
    .action((options: { json?: true }) => {
      const report = replicaReport(context.config.DATA_DIR);
      if (options.json === true) context.json(report);
      else for (const line of replicaLines(report)) context.out(line);
    });
  return replica;
}

type Report = {
  readonly replicatorAlive: boolean;
  readonly writtenAt: string | null;
  readonly datasets: readonly (DatasetStatus & { readonly replicatorAlive: boolean })[];
};

function replicaReport(dataDir: string): Report {
  const replicatorAlive = isReplicatorRunning(dataDir);
  const status = readStatus(dataDir);
  const datasets = (status?.datasets ?? []).map((dataset) => ({
    ...dataset,
    // The pointer is what listeners follow; the report may be a quarter of a second older.
    generation: readPointer(dataDir, dataset.dataset)?.generation ?? dataset.generation,
    replicatorAlive,
  }));
  return { replicatorAlive, writtenAt: status?.writtenAt ?? null, datasets };
}

function replicaLines(report: Report): string[] {
  const replicator = report.replicatorAlive ? 'running' : 'not running';
  if (report.datasets.length === 0) return [`Replicator ${replicator}; there is no replica yet.`];
  return [
    `Replicator ${replicator}; described at ${report.writtenAt}.`,
    ...report.datasets.flatMap((dataset) => [
      `${dataset.dataset}: generation ${dataset.generation ?? 'none'}, snapshot ${dataset.snapshotId}, ${dataset.entries} entries`,
      `  ${dataset.bytes} bytes (${dataset.bytesPerEntry?.toFixed(1) ?? '-'} per entry), set hash ${dataset.setHash ?? '-'}`,
      `  complete at ${dataset.contactAt ?? 'never'}, verified at ${dataset.verifiedAt ?? 'never'}`,
      ...(dataset.rebuildReason === null ? [] : [`  being rebuilt: ${dataset.rebuildReason}`]),
    ]),
  ];
}
