import { type Actor, recordAudit } from '#capabilities/access/index.ts';
import { type Finding, moveFinding } from '#capabilities/cve-watch/index.ts';
import { type AlertStatus, findingStatusFor, SEVERITIES } from '#domain/alerts/index.ts';
import type { Clock } from '#platform/clock.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import { emit } from '#platform/events.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { Postgres } from '#platform/postgres.ts';
import type { AlertList, AlertQuery, AlertReply } from './contract.ts';
import { AlertResolved, AlertUpdated } from './events.ts';
import { presentAlert } from './present-alert.ts';
import { type AlertFilter, countAlerts, hasOpenTwin, lockAlert, moveAlerts, selectAlerts } from './store.ts';

export type AlertsDeps = { readonly clock: Clock; readonly postgres: Postgres };
/** Who decides: the caller, and how the audit trail names it. */
export type Acting = { readonly principal: Principal; readonly actor: Actor };

/** Text that is not an id is not looked up, because the database refuses U+0000. */
const isAlertId = (id: string): boolean => /^alrt_[0-9A-Z]+$/.test(id);
/** The statuses listed when the request names none: alerts still to be worked on. */
const ACTIVE: readonly AlertStatus[] = ['OPEN', 'ACKNOWLEDGED'];

export async function listAlerts(
  { postgres }: AlertsDeps,
  { accountId }: Principal,
  query: AlertQuery,
): Promise<AlertList> {
  const { limit, offset } = query;
  const filter: AlertFilter = {
    statuses: query.status ?? ACTIVE,
    severities: query.severity?.map((severity) => SEVERITIES.indexOf(severity)) ?? null,
    eventType: query.eventType,
    entityType: query.entityType,
    search: query.search,
  };
  return postgres.withAccount(accountId, async (tx) => {
    const rows = await selectAlerts(tx, accountId, filter, { limit: limit + 1, offset });
    return {
      alerts: rows.slice(0, limit).map(presentAlert),
      total: await countAlerts(tx, accountId, filter),
      limit,
      offset,
      hasMore: rows.length > limit,
    };
  });
}

/** Sets the status of an alert; any may follow any other. Its finding moves in the same transaction. */
export async function decideAlert(
  { postgres, clock }: AlertsDeps,
  by: Acting,
  id: string,
  status: AlertStatus,
): Promise<AlertReply> {
  const { accountId } = by.principal;
  const nowMs = clock.now();
  return postgres.withAccount(accountId, async (tx) => {
    const row = isAlertId(id) ? await lockAlert(tx, accountId, id) : undefined;
    if (row === undefined) throw notFound('Alert', id);
    const finding: Finding | null =
      row.findingId === null
        ? null
        : await moveFinding(tx, by, row.findingId, (stands) => findingStatusFor(status, stands), nowMs);
    const withFinding = finding === null ? {} : { finding };
    if (row.status === status) return { alert: presentAlert(row), ...withFinding };
    if (row.status === 'RESOLVED' && (await hasOpenTwin(tx, id)))
      throw new ServiceError(
        'Conflict',
        'A newer alert about the same thing is not resolved. Work on that one.',
      );
    const [moved] = await moveAlerts(
      tx,
      [{ id, status, severity: null, priority: null, title: null }],
      nowMs,
    );
    const alert = presentAlert(moved ?? row);
    await recordAudit(tx, {
      accountId,
      actor: by.actor,
      action: 'alert.decide',
      target: id,
      before: { status: row.status },
      after: { status },
      nowMs,
    });
    const type = status === 'RESOLVED' ? AlertResolved : AlertUpdated;
    await emit(tx, { type, accountId, payload: alert, occurredAt: new Date(nowMs) });
    return { alert, ...withFinding };
  });
}
