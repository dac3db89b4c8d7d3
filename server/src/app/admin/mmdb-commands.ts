import { Command } from 'commander';
import {
  type BuildReport,
  buildMmdb,
  type MmdbState,
  publishMmdb,
  readState,
  releaseHeld,
} from '#capabilities/mmdb/index.ts';
import { openJudge } from '../open-judge.ts';
import { type Json, onSystem, print } from './account-options.ts';
import { type AdminContext, AdminError } from './context.ts';
import { count } from './table.ts';

const WAIT_MS = 60_000;

export function mmdbCommands(context: AdminContext): Command {
  const mmdb = new Command('mmdb').description('The address database (MaxMind DB file).');
  const add = (name: string, description: string, run: (options: Json) => Promise<void>) =>
    mmdb.command(name).description(description).option('--json', 'print one JSON document').action(run);
  add('build', 'Build it now if its addresses moved. Every node serves it within ten seconds.', (options) =>
    build(context, options),
  );
  add('status', 'What it holds, when it was built, and why it was not.', (options) =>
    status(context, options),
  );
  add('release', 'Let it become as small as the shared list is. Look at "mmdb status" first.', (options) =>
    release(context, options),
  );
  return mmdb;
}

const build = (context: AdminContext, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres, clock }) => {
    const { config, log } = context;
    const judge = await openJudge({ postgres, dataDir: config.DATA_DIR, log, clock, waitMs: WAIT_MS });
    try {
      const { transaction } = postgres;
      const report = await publishMmdb({ clock, transaction }, () =>
        buildMmdb({ judge, audience: config.DISTRIBUTION, transaction }),
      );
      if (report.outcome === 'waiting')
        throw new AdminError(
          'Not every indicator is scored yet, so nothing was built. The worker does it; to wait for it: npm run admin -- standing follow',
        );
      print(context, options, report, [sentenceOf(report)]);
    } finally {
      await judge.close();
    }
  });

const status = (context: AdminContext, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres }) => {
    const state = await readState(postgres.db);
    print(context, options, state, [stateOf(state)]);
  });

const release = (context: AdminContext, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres }) => {
    if (!(await postgres.transaction(releaseHeld)))
      throw new AdminError('The database waits for no release. Its state: npm run admin -- mmdb status');
    print(context, options, { released: true }, [
      'Released. The next build makes it smaller; now: npm run admin -- mmdb build',
    ]);
  });

function stateOf({ builtAtMs, addresses, ranges, records, failure, heldEntries }: MmdbState): string {
  if (heldEntries !== null)
    return `It waits for you: it would have ${count(heldEntries)} of ${count(addresses + ranges)} entries (mmdb release).`;
  if (failure !== null) return `The last build failed: ${failure}`;
  if (builtAtMs === null)
    return 'It was not built yet. The worker builds it every ten minutes; now: npm run admin -- mmdb build';
  return `${count(addresses)} addresses and ${count(ranges)} ranges with ${count(records)} records, built ${new Date(builtAtMs).toISOString()}.`;
}

function sentenceOf({ outcome, addresses, ranges, tookMs }: BuildReport): string {
  const held = `${count(addresses)} addresses and ${count(ranges)} ranges`;
  if (outcome === 'held') return `It lost half of its ${held} and waits for you (mmdb release).`;
  return outcome === 'built' ? `Built in ${(tookMs / 1_000).toFixed(1)} s: ${held}.` : `Unchanged: ${held}.`;
}
