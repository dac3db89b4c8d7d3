import type { RaisedAlert } from '#capabilities/alerts/index.ts';
import { WatchlistAlert } from '#capabilities/stream/index.ts';
import type { Severity } from '#domain/alerts/index.ts';
import { emitAll } from '#platform/events.ts';
import type { Db } from '#platform/postgres.ts';
import type { Judged } from './judge-target.ts';
import { indicatorOf, targetOf } from './target.ts';

const NAMES_MAX = 20;
/** The stream has four severities and none below `low`. */
const severityOf = (severity: Severity) => (severity === 'info' ? 'low' : severity);

/** `watchlist.alert` for each alert about one item; it goes to the account that watches, and to no other. */
export async function tellStream(
  tx: Db,
  raised: readonly RaisedAlert[],
  judgedOf: (key: string) => Judged | undefined,
  nowMs: number,
): Promise<void> {
  const occurredAt = new Date(nowMs);
  await emitAll(
    tx,
    raised.flatMap(({ accountId, alert }) => {
      const indicator = indicatorOf(alert.entity.value);
      const target = indicator === null ? null : targetOf(indicator);
      if (target === null || alert.monitorId === undefined) return [];
      const judged = judgedOf(target.key.toString('latin1'));
      const names = [...new Set(judged?.accusations.map(({ name }) => name))];
      return [
        {
          type: WatchlistAlert,
          accountId,
          occurredAt,
          payload: {
            severity: severityOf(alert.severity),
            categories: [...(judged?.categories ?? [])],
            indicator: { type: target.entityType, value: target.value },
            score: judged?.score ?? null,
            level: judged?.level ?? null,
            sources: { count: names.length, names: names.slice(0, NAMES_MAX) },
            firstSeen: null,
            lastSeen: null,
            alertId: alert.id,
            monitorId: alert.monitorId,
            alertType: alert.type,
          },
        },
      ];
    }),
  );
}
