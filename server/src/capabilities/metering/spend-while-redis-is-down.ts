import { burstShare, monthShare } from '#domain/metering/local-share.ts';
import { EMPTY_WINDOW, spendWindow } from '#domain/metering/window.ts';
import { unavailable } from '#platform/errors.ts';
import { counter } from '#platform/metrics.ts';
import type { AccountUsage } from './account-usage.ts';
import { MeterAnswer, type MeterAsk } from './meter-answer.ts';
import type { Outage } from './outage.ts';
import type { UsageRegistry } from './usage-registry.ts';

export const BURST_WINDOW_MS = 60_000;
const RETRY_AFTER_S = 5;

const localAnswers = counter({
  name: 'meter_local_answers_total',
  help: 'Meter decisions taken from local counters because Redis was down.',
});

export type LocalMeterDeps = {
  readonly usages: UsageRegistry;
  readonly outage: Outage;
  readonly shares: () => number;
};

/**
 * Without Redis this process grants its share of the units that were left when Redis last answered
 * (foundation rule 9). The burst stays open for the whole outage (trap 64); units only for the grace period.
 */
export function spendLocally(
  deps: LocalMeterDeps,
  usage: AccountUsage,
  ask: MeterAsk,
  nowMs: number,
  cause: unknown,
): MeterAnswer {
  localAnswers.inc();
  const units = ask.meter === null ? 0 : (ask.units ?? 0);
  if (units > 0 && deps.outage.isBeyondGrace(usage.key))
    throw unavailable(
      'Usage cannot be counted right now. Nothing was charged; try again.',
      RETRY_AFTER_S,
      cause,
    );
  const shares = deps.shares();
  const known = ask.meter === null ? null : usage[ask.meter];
  const handedOut = ask.meter === null ? 0 : usage.unsettled(ask.meter);
  const used = (known?.used ?? 0) + handedOut;
  const window = usage.localWindows.get(ask.burstId) ?? EMPTY_WINDOW;
  const burst = spendWindow(window, nowMs, BURST_WINDOW_MS, burstShare(ask.burstLimit, shares));
  const answer = (outcome: MeterAnswer['outcome'], usedNow: number) =>
    new MeterAnswer(ask, usage, outcome, burst.remaining, burst.resetMs, burst.retryAfterMs, usedNow, true);
  if (ask.units === null) return answer('granted', used);
  if (!burst.granted) return answer('burst', used);
  if (units > 0 && known !== null && ask.meter !== null) {
    if (used + units > ask.monthLimit) return answer('month', used);
    // The month has units left, but not in this share: a 503, because the caller's quota is not spent.
    if (handedOut + units > monthShare(ask.monthLimit, known.used, shares))
      throw unavailable(
        'Usage cannot be counted right now. Nothing was charged; try again.',
        RETRY_AFTER_S,
        cause,
      );
    deps.usages.owe(usage, ask.meter, units);
  }
  usage.localWindows.set(ask.burstId, burst.window);
  return answer('granted', used + units);
}
