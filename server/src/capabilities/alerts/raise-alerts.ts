import { SEVERITIES } from '#domain/alerts/index.ts';
import { emitAll, type NewEvent } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import type { Db } from '#platform/postgres.ts';
import { sha256Of } from '#platform/sha256.ts';
import type { Alert } from './contract.ts';
import { AlertCreated, AlertUpdated } from './events.ts';
import { type AlertMail, tellOwners } from './mail-alerts.ts';
import type { NewAlert } from './new-alert.ts';
import { presentAlert } from './present-alert.ts';
import { putAlerts, type StoredAlert } from './store.ts';

const ROWS_AT_ONCE = 1_000;
const FINGERPRINT_HEX = 32;

export type RaisedAlert = { readonly accountId: string; readonly isNew: boolean; readonly alert: Alert };

/**
 * Raises alerts with their events and letters, in the transaction of the change that they report. An alert that exists
 * and is not resolved gets one more occurrence instead.
 */
export async function raiseAlerts(
  tx: Db,
  mail: AlertMail,
  raised: readonly NewAlert[],
  nowMs: number,
): Promise<readonly RaisedAlert[]> {
  const once = new Map(raised.map((alert) => [`${alert.accountId} ${fingerprintOf(alert)}`, alert]));
  const rows = [...once.values()];
  const told: RaisedAlert[] = [];
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const part = rows.slice(at, at + ROWS_AT_ONCE);
    const stored = await putAlerts(
      tx,
      part.map((alert) => storedOf(alert, nowMs)),
      nowMs,
    );
    const batch = stored.map((row) => ({
      accountId: row.accountId,
      isNew: row.isNew,
      alert: presentAlert(row),
    }));
    await emitAll(
      tx,
      batch.map((each) => eventOf(each, nowMs)),
    );
    told.push(...batch);
  }
  const quiet = new Set(
    rows.filter(({ notify }) => !notify).map((alert) => `${alert.accountId} ${alert.monitorId ?? ''}`),
  );
  const wanted = told.filter(
    ({ accountId, isNew, alert }) => isNew && !quiet.has(`${accountId} ${alert.monitorId ?? ''}`),
  );
  await tellOwners(tx, mail, wanted);
  return told;
}

const eventOf = ({ accountId, isNew, alert }: RaisedAlert, nowMs: number): NewEvent => ({
  type: isNew ? AlertCreated : AlertUpdated,
  accountId,
  payload: alert,
  occurredAt: new Date(nowMs),
});

const fingerprintOf = ({ type, entity, detail }: NewAlert): string =>
  sha256Of(JSON.stringify([type, entity.type, entity.value, detail])).slice(0, FINGERPRINT_HEX);

const storedOf = (alert: NewAlert, nowMs: number): StoredAlert => ({
  id: newId('alrt', nowMs),
  accountId: alert.accountId,
  type: alert.type,
  severity: SEVERITIES.indexOf(alert.severity),
  status: 'OPEN',
  entityType: alert.entity.type,
  entityValue: alert.entity.value,
  fingerprint: fingerprintOf(alert),
  title: alert.title.slice(0, 300),
  description: alert.description.slice(0, 2_000),
  reason: alert.reason.slice(0, 1_000),
  source: alert.source,
  confidence: alert.confidence,
  data: alert.data,
  monitorId: alert.monitorId ?? null,
  findingId: null,
  cveId: null,
  priority: null,
});
