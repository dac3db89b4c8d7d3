import type { Moment } from '../../server/src/capabilities/judging/assess.ts';
import { DAY_S, dayOf, HISTORIES, type HistoryName } from './evaluation-data.ts';
import { openJudge } from './judge-corpus.ts';
import { atLeast, isAtLeast } from './level-counts.ts';
import { openPastCorpus, type PastCorpus } from './past-corpus.ts';
import { measureVisits, ROUTED } from './visits.ts';

/** The rules were chosen on the last three days; the first one had no part in that, so it tests them independently. */
export const FORWARD_DAYS = ['2026-04-22', '2026-05-22', '2026-06-22', '2026-07-23'] as const;

export type Lead = { named: number; low: number; medium: number; high: number };
export type ForwardDay = {
  readonly day: string;
  readonly rule: string;
  readonly leads: Readonly<Record<HistoryName, Lead>>;
  /** Shares at medium or above: of visited hosts, and of routed addresses that no list names. */
  readonly visited: number;
  readonly routed: number;
};

/** A rule, such as a signal, that judges together with the lists. It may only use what was known on that day. */
export type ForwardRule = { readonly name: string; readonly given: Partial<Moment> };
/** Trains the rules on the lists of one day; the lists alone are always measured before them. */
export type RulesAt = (past: PastCorpus, data: string) => Promise<readonly ForwardRule[]>;
const LISTS_ALONE: ForwardRule = { name: 'lists alone', given: {} };

const noLead = (): Lead => ({ named: 0, low: 0, medium: 0, high: 0 });

/** Judges, with the real scorer on the lists of a past day, what those lists first named in the 30 days after it. */
export async function measureForward(
  data: string,
  days: readonly string[] = FORWARD_DAYS,
  rulesAt: RulesAt = async () => [],
  routedCount = ROUTED,
): Promise<readonly ForwardDay[]> {
  const measured: ForwardDay[] = [];
  for (const text of days) {
    const day = dayOf(text);
    const past = await openPastCorpus(data, day);
    for (const { name, given } of [LISTS_ALONE, ...(await rulesAt(past, data))]) {
      const judge = openJudge(past.replica, day * DAY_S * 1_000, given);
      const leads = Object.fromEntries(HISTORIES.map((history) => [history, noLead()]));
      for (const { history, indicator } of past.ahead) {
        const lead = leads[history] as Lead;
        const { level } = judge.sample(indicator).assessment.verdict.riskScore;
        lead.named += 1;
        for (const least of ['low', 'medium', 'high'] as const) if (isAtLeast(level, least)) lead[least] += 1;
      }
      const { visited, routed } = await measureVisits(judge, data, routedCount);
      measured.push({
        day: text,
        rule: name,
        leads: leads as Record<HistoryName, Lead>,
        visited: atLeast(visited.levels, 'medium') / visited.hosts,
        routed: atLeast(routed.levels, 'medium') / routed.addresses,
      });
    }
  }
  return measured;
}
