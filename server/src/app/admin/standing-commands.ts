import { setTimeout } from 'node:timers/promises';
import { Command } from 'commander';
import {
  countByLevel,
  keepStandings,
  readStatus,
  type StandingDeps,
  verifyStandings,
  walkStandings,
} from '#capabilities/standing/index.ts';
import { newId } from '#platform/ids.ts';
import type { Postgres } from '#platform/postgres.ts';
import { openJudge } from '../open-judge.ts';
import { type Json, onSystem, print } from './account-options.ts';
import { type AdminContext, AdminError } from './context.ts';
import { showProgress } from './progress.ts';
import { count } from './table.ts';

const WAIT_MS = 60_000;
/** How often `follow` looks whether another process has finished, and how often it says that it waits: every 10 s. */
const RETRY_MS = 1_000;
const TELL_EVERY = 10;

export function standingCommands(context: AdminContext): Command {
  const standing = new Command('standing').description('The level of every accused indicator.');
  const add = (name: string, description: string, run: (options: Json) => Promise<void>) =>
    standing.command(name).description(description).option('--json', 'print one JSON document').action(run);
  add('follow', 'Follow the change log and judge every class, as the worker does each minute.', (options) =>
    follow(context, options),
  );
  add('walk', 'Compare every indicator with the local replica and correct what differs.', (options) =>
    walk(context, options),
  );
  add('verify', 'Compare every standing with a whole check, and change nothing.', (options) =>
    verify(context, options),
  );
  add('status', 'How many indicators stand at which level, and when they were last judged.', (options) =>
    status(context, options),
  );
  return standing;
}

type Opened = {
  readonly judge: StandingDeps;
  readonly postgres: Postgres;
  /** Tells on stderr how many indicators are done: a walk over millions takes minutes. */
  readonly tell: (indicators: number) => void;
  readonly note: (line: string) => void;
};

const onJudge = (context: AdminContext, work: (opened: Opened) => Promise<void>): Promise<void> =>
  onSystem(context, async ({ postgres, clock }) => {
    const { config, log } = context;
    const judge = await openJudge({ postgres, dataDir: config.DATA_DIR, log, clock, waitMs: WAIT_MS });
    const progress = showProgress({ clock });
    try {
      await work({
        judge,
        postgres,
        tell: (rows) => progress.update({ rows, label: 'indicators' }),
        note: progress.note,
      });
    } finally {
      progress.stop();
      await judge.close();
    }
  });

const follow = (context: AdminContext, options: Json): Promise<void> =>
  onJudge(context, async ({ judge, postgres, tell, note }) => {
    const keep = () =>
      keepStandings(judge, {
        run: newId('run', judge.clock.now()),
        transaction: postgres.transaction,
        onProgress: ({ read }) => tell(read),
      });
    let { followed, judged } = await keep();
    // The worker scores the same changes; its claim ends with them, or two minutes after it died.
    for (let waits = 0; !followed.isOurs; waits += 1) {
      if (waits % TELL_EVERY === 0) note('The worker is scoring. Waiting for it.');
      await setTimeout(RETRY_MS);
      ({ followed, judged } = await keep());
    }
    print(context, options, { followed, judged }, [
      `${count(followed.put)} put, ${count(followed.removed)} removed, ${count(judged?.changed ?? 0)} of ${count(judged?.classes ?? 0)} classes changed.`,
    ]);
  });

const walk = (context: AdminContext, options: Json): Promise<void> =>
  onJudge(context, async ({ judge, postgres, tell }) => {
    const report = await walkStandings(judge, {
      run: newId('run', judge.clock.now()),
      transaction: postgres.transaction,
      onProgress: ({ read }) => tell(read),
    });
    if (report === null) throw new AdminError(BUSY);
    const { read, corrected } = report.followed;
    print(context, options, report, [
      `${count(read)} indicators compared in ${(report.tookMs / 1_000).toFixed(1)} s, ${count(corrected)} corrected.`,
    ]);
  });

const verify = (context: AdminContext, options: Json): Promise<void> =>
  onJudge(context, async ({ judge, postgres, tell }) => {
    const found = await verifyStandings(judge, postgres.db, tell);
    print(context, options, found, [
      `${count(found.compared)} compared: ${count(found.wrong)} wrong, ${count(found.missing)} missing, ${count(found.extra)} too many.`,
      ...found.examples,
    ]);
    if (found.wrong + found.missing + found.extra > 0)
      throw new AdminError(
        'Standings differ from what a check says. Correct them: npm run admin -- standing walk',
      );
  });

const status = (context: AdminContext, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres }) => {
    const [state, levels] = [await readStatus(postgres.db), await countByLevel(postgres.db)];
    const byLevel = new Map<string, number>();
    for (const { level, count: members } of levels) byLevel.set(level, (byLevel.get(level) ?? 0) + members);
    print(context, options, { ...state, levels: Object.fromEntries(byLevel) }, [
      `${count(state.members)} indicators in ${count(state.classes)} classes; ${state.isFilled ? 'complete' : 'the first walk has not ended'}.`,
      `Followed to ${count(state.seq)} of ${count(state.newestSeq)}; judged ${state.judgedAt?.toISOString() ?? 'never'}.`,
      ...[...byLevel].map(([level, members]) => `  ${level} ${count(members)}`),
      state.walkedAt === null
        ? 'Never walked.'
        : `Walked ${state.walkedAt.toISOString()}: ${count(state.walkedKeys ?? 0)} compared, ${count(state.walkedCorrections ?? 0)} corrected.`,
    ]);
  });

const BUSY = 'Another run is at work on the standings. Try again in some minutes.';
