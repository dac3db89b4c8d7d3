import { SEVERITIES } from '#domain/alerts/index.ts';
import type { NewAlert } from './new-alert.ts';

/** Single alerts that one run may raise for an account; all further ones become one summary alert. */
const ALERTS_A_RUN = 1_000;

/** Counts the alerts of one run by account. `run` names the summary, so several batches of a run share one. */
export function createAlertBudget(run: string, max = ALERTS_A_RUN) {
  const used = new Map<string, number>();
  const surplus = new Map<string, NewAlert[]>();
  return (raised: readonly NewAlert[]): readonly NewAlert[] => {
    const told: NewAlert[] = [];
    const touched = new Set<string>();
    for (const alert of raised) {
      const count = (used.get(alert.accountId) ?? 0) + 1;
      used.set(alert.accountId, count);
      if (count <= max) {
        told.push(alert);
        continue;
      }
      touched.add(alert.accountId);
      const rest = surplus.get(alert.accountId);
      if (rest === undefined) surplus.set(alert.accountId, [alert]);
      else rest.push(alert);
    }
    return [
      ...told,
      ...[...touched].map((accountId) => summaryOf(run, accountId, surplus.get(accountId) ?? [])),
    ];
  };
}
export type AlertBudget = ReturnType<typeof createAlertBudget>;

const NAMED_MAX = 20;

function summaryOf(run: string, accountId: string, rest: readonly NewAlert[]): NewAlert {
  const worst = rest.reduce((most, each) =>
    SEVERITIES.indexOf(each.severity) > SEVERITIES.indexOf(most.severity) ? each : most,
  );
  const count = rest.length.toLocaleString('en-US');
  const bySeverity = Object.fromEntries(
    SEVERITIES.map((severity) => [severity, rest.filter((each) => each.severity === severity).length]),
  );
  return {
    accountId,
    type: worst.type,
    severity: worst.severity,
    entity: { type: 'watchlist', value: 'watchlist' },
    detail: `summary ${run}`,
    title: `${count} more watched values changed at once`,
    description: `One run changed more than ${ALERTS_A_RUN.toLocaleString('en-US')} values that you watch; these are told together. Look at your watchlist for the state of each.`,
    reason: `${count} further alerts of one run, the most severe of them about ${worst.entity.value}.`.slice(
      0,
      1_000,
    ),
    source: worst.source,
    confidence: worst.confidence,
    data: {
      summary: true,
      count: rest.length,
      bySeverity,
      values: rest.slice(0, NAMED_MAX).map(({ entity }) => entity.value),
    },
    notify: rest.some(({ notify }) => notify),
  };
}
