import { type AlertBudget, type AlertMail, createAlertBudget } from '#capabilities/alerts/index.ts';
import type { Source } from '#capabilities/corpus/index.ts';
import type { StandingDeps } from '#capabilities/standing/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { StreamEvent } from '#platform/events.ts';
import type { Judge } from './judge-target.ts';

/** Name of the row that keeps how far monitoring has followed the change log. */
export const MONITORING = 'monitoring';

/** What checks read and judge with, all from the replica of this process. */
export type Checking = Pick<StandingDeps, 'corpus' | 'enrichment' | 'signals' | 'clock' | 'refresh'> & {
  readonly judge: Judge;
};

export type KeepDeps = { readonly checking: Checking; readonly mail: AlertMail };

/** What one run needs to raise alerts. */
export type RaiseDesk = { readonly budget: AlertBudget; readonly mail: AlertMail; readonly nowMs: number };

/** What one run needs for its checks; all of them use the time at which the run started. */
export type Desk = RaiseDesk & { readonly judge: Judge; readonly sources: readonly Source[] };

export const deskOf = ({ checking, mail }: KeepDeps, run: string): Desk => ({
  judge: checking.judge,
  nowMs: checking.clock.now(),
  sources: checking.corpus.registry().sources,
  budget: createAlertBudget(run),
  mail,
});

export type RaiseDeps = { readonly clock: Clock; readonly mail: AlertMail };

/** The desk for a batch of events, which counts as one run for the alert budget. */
export const deskForEvents = ({ clock, mail }: RaiseDeps, events: readonly StreamEvent[]): RaiseDesk => ({
  budget: createAlertBudget(`events from ${events[0]?.id ?? 0}`),
  mail,
  nowMs: clock.now(),
});
