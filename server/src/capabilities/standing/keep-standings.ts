import type { FollowDeps, FollowReport } from '#capabilities/corpus/index.ts';
import { claimFollower, releaseFollower } from '#capabilities/corpus/index.ts';
import { followStandings, STANDING, type StandingDeps } from './follow-standings.ts';
import { type JudgeReport, judgeClasses } from './judge-classes.ts';
import { saveWalkReport } from './store.ts';

/** How long the claim is held; judging 75,000 classes takes ten seconds. */
const CLAIM_MS = 300_000;

export type KeepReport = { readonly followed: FollowReport; readonly judged: JudgeReport | null };

/** Brings every standing up to date: first the changes of the log, then the judgement of the hour. */
export async function keepStandings(deps: StandingDeps, follow: FollowDeps): Promise<KeepReport> {
  const followed = await followStandings(deps, follow);
  if (!followed.isOurs) return { followed, judged: null };
  const { run, transaction } = follow;
  // If another run has taken the claim meanwhile, that run judges.
  const isOurs = await transaction(async (tx) => (await claimFollower(tx, STANDING, run, CLAIM_MS)) !== null);
  if (!isOurs) return { followed, judged: null };
  try {
    return { followed, judged: await judgeClasses(transaction, deps) };
  } finally {
    await transaction((tx) => releaseFollower(tx, STANDING, run)).catch(() => undefined);
  }
}

export type WalkReport = KeepReport & { readonly tookMs: number };

/**
 * Compares every standing with the replica. Its corrections are what the reader of the change log missed, apart from
 * changes that arrive during the walk.
 */
export async function walkStandings(deps: StandingDeps, follow: FollowDeps): Promise<WalkReport | null> {
  const before = await followStandings(deps, follow);
  if (!before.isOurs) return null;
  const startedMs = deps.clock.monotonic();
  const kept = await keepStandings(deps, { ...follow, mustWalk: before.walks === 0 });
  const tookMs = Math.round(deps.clock.monotonic() - startedMs);
  const { corrected, read } = kept.followed;
  if (kept.followed.walks > 0)
    await follow.transaction((tx) =>
      saveWalkReport(tx, { atMs: deps.clock.now(), keys: read, corrections: corrected, tookMs }),
    );
  return { ...kept, tookMs };
}
