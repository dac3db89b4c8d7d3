import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SourceSettings } from '../../server/src/capabilities/corpus/index.ts';
import {
  type IngestDeps,
  ingestSnapshot,
} from '../../server/src/capabilities/feeds/ingest/ingest-snapshot.ts';
import type { SnapshotCounts } from '../../server/src/capabilities/lists/snapshot-counts.ts';

type Entry = {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly date: string;
  readonly format: string;
  readonly type: string;
  readonly category: string;
  readonly threatClass: string;
  readonly fpRisk: string;
};

export type RealLists = {
  readonly lists: number;
  readonly lines: number;
  readonly listings: number;
  readonly rejected: number;
  readonly refused: readonly string[];
  readonly seconds: number;
};

const PLAIN = /^(?:text(?:,| despite| *$)|ipset|hosts file|provider native txt)/;

function refuseMostlyRejected({ accepted, rejected }: SnapshotCounts): void {
  if (rejected > accepted) throw new Error(`${rejected} of ${accepted + rejected} entries are not usable.`);
}

export async function importRealLists(deps: IngestDeps, folder: string): Promise<RealLists | null> {
  const manifest = join(folder, 'MANIFEST.json');
  if (!existsSync(manifest)) return null;
  const entries = (JSON.parse(readFileSync(manifest, 'utf8')) as readonly Entry[]).filter(
    (entry) =>
      entry.path.startsWith('feeds/') && ['ip', 'domain'].includes(entry.type) && PLAIN.test(entry.format),
  );
  const startMs = deps.clock.monotonic();
  const sum = { lists: 0, lines: 0, listings: 0, rejected: 0 };
  const refused: string[] = [];
  for (const entry of entries) {
    const id = `real-${entry.id.toLowerCase().replace(/[^a-z0-9._-]+/g, '-')}`.slice(0, 64);
    try {
      const report = await ingestSnapshot(deps, {
        sourceId: id,
        files: [
          {
            path: join(folder, entry.path),
            format: { kind: entry.format.startsWith('hosts') ? 'hosts' : 'plain' },
          },
        ],
        dataAtMs: Date.parse(entry.date),
        trustDeclaredDate: false,
        canaries: true,
        judge: refuseMostlyRejected,
        settings: SourceSettings.parse({
          name: entry.name.slice(0, 120),
          category: entry.category,
          threatClass: entry.threatClass,
          fpRisk: entry.fpRisk,
        }),
      });
      sum.lists += 1;
      sum.lines += report.counts.lines;
      sum.listings += report.source.entries;
      sum.rejected += report.counts.rejected;
    } catch (error) {
      refused.push(`${entry.path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { ...sum, refused, seconds: (deps.clock.monotonic() - startMs) / 1_000 };
}
