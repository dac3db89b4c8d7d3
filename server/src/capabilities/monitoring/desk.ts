import { type AlertBudget, type AlertMail, createAlertBudget } from '#capabilities/alerts/index.ts';
import type { Source } from '#capabilities/corpus/index.ts';
import type { StandingDeps } from '#capabilities/standing/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { StreamEvent } from '#platform/events.ts';
import type { Judge } from './judge-target.ts';

/** The row of the follower of the change log. */
export const MONITORING = 'monitoring';

/** What checks are made with: the replica of this process. */
export type Checking = Pick<StandingDeps, 'corpus' | 'enrichment' | 'signals' | 'clock' | 'refresh'> & {
  readonly judge: Judge;
};

export type KeepDeps = { readonly checking: Checking; readonly mail: AlertMail };

/** What raising alerts in one run needs. */
export type RaiseDesk = { readonly budget: AlertBudget; readonly mail: AlertMail; readonly nowMs: number };

/** What checks of one run need. The time of a run is that of its start. */
export type Desk = RaiseDesk & { readonly judge: Judge; readonly sources: readonly Source[] };

export const deskOf = ({ checking, mail }: KeepDeps, run: string): Desk => ({
  judge: checking.judge,
  nowMs: checking.clock.now(),
  sources: checking.corpus.registry().sources,
  budget: createAlertBudget(run),
  mail,
});

export type RaiseDeps = { readonly clock: Clock; readonly mail: AlertMail };

/** One batch of events is one run. */
export const deskForEvents = ({ clock, mail }: RaiseDeps, events: readonly StreamEvent[]): RaiseDesk => ({
  budget: createAlertBudget(`events from ${events[0]?.id ?? 0}`),
  mail,
  nowMs: clock.now(),
});
