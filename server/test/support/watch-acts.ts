import type { Planted } from './plant-watch.ts';

/** A request to a route whose path or body names a case, an alert or another object of an account. */
export type Act = {
  readonly act: string;
  readonly path: string;
  readonly body?: object;
  /** The status when the named object belongs to another account. Default: 404. */
  readonly refused?: number;
};

const note = { kind: 'note', title: 'Seen', payload: { host: 'ws-12' } };

/** Every route that names a case, an alert, a watched item, a webhook or a delivery. Those that delete are last. */
export function actsOn(planted: Planted): readonly Act[] {
  const { caseId, alertId, itemId, webhookId, deliveryId } = planted;
  const [ofCase, webhook] = [`/cases/${caseId}`, `/user/webhooks/${webhookId}`];
  const since = new Date(Date.now() - 3_600_000).toISOString();
  return [
    { act: 'GET /cases/:id', path: ofCase },
    { act: 'PATCH /cases/:id', path: ofCase, body: { priority: 'HIGH' } },
    { act: 'POST /cases/:id/evidence', path: `${ofCase}/evidence`, body: note },
    { act: 'GET /cases/:id/verify', path: `${ofCase}/verify` },
    { act: 'GET /cases/:id/export', path: `${ofCase}/export` },
    { act: 'POST /cases', path: '/cases', body: { title: 'Linked', linkedAlertId: alertId }, refused: 400 },
    { act: 'PATCH /alerts/:id', path: `/alerts/${alertId}`, body: { status: 'ACKNOWLEDGED' } },
    { act: 'POST /monitoring/toggle-notify', path: '/monitoring/toggle-notify', body: { id: itemId } },
    { act: 'GET /user/webhooks/:id', path: webhook },
    { act: 'PATCH /user/webhooks/:id', path: webhook, body: { description: 'Changed' } },
    { act: 'GET /user/webhooks/:id/deliveries', path: `${webhook}/deliveries` },
    { act: 'POST /user/webhooks/:id/test', path: `${webhook}/test` },
    { act: 'POST /user/webhooks/:id/verify', path: `${webhook}/verify`, body: { challenge: 'of another' } },
    { act: 'POST /user/webhooks/:id/rotate-secret', path: `${webhook}/rotate-secret` },
    { act: 'POST /user/webhooks/:id/replay', path: `${webhook}/replay`, body: { since, status: 'failed' } },
    {
      act: 'POST /user/webhooks/:id/deliveries/:dlv/redeliver',
      path: `${webhook}/deliveries/${deliveryId}/redeliver`,
    },
    { act: 'POST /monitoring/unwatch', path: '/monitoring/unwatch', body: { id: itemId } },
    { act: 'DELETE /user/webhooks/:id', path: webhook },
  ];
}

/** Requests about an object of the caller that also name an object of another account, such as a link to its alert. */
export function mixedActs(
  own: Planted,
  theirs: Planted,
  linked: Readonly<Record<'linkedCveFindingId' | 'linkedReportId', string>>,
): readonly Act[] {
  const change = (body: object): Act => ({
    act: 'PATCH /cases/:id',
    path: `/cases/${own.caseId}`,
    body,
    refused: 400,
  });
  const [findingId, reportId] = [linked.linkedCveFindingId, linked.linkedReportId];
  return [
    change({ linkedAlertId: theirs.alertId }),
    change({ linkedCveFindingId: findingId }),
    change({ linkedReportId: reportId }),
    { act: 'POST /cases', path: '/cases', body: { title: 'x', linkedCveFindingId: findingId }, refused: 400 },
    { act: 'POST /cases', path: '/cases', body: { title: 'x', linkedReportId: reportId }, refused: 400 },
    { act: 'POST /monitoring/unwatch', path: '/monitoring/unwatch', body: { value: theirs.watched } },
    {
      act: 'POST /user/webhooks/:id/deliveries/:dlv/redeliver',
      path: `/user/webhooks/${own.webhookId}/deliveries/${theirs.deliveryId}/redeliver`,
    },
  ];
}

/** Routes whose requests name no object of an account: each answers for the account of its caller. */
export const UNAIMED: readonly string[] = [
  'GET /cases',
  'GET /alerts',
  'GET /alerts/metrics',
  'GET /alerts/funnel',
  'GET /alerts/trends',
  'GET /monitoring',
  'POST /monitoring',
  'GET /monitoring/metrics',
  'GET /user/webhooks',
  'POST /user/webhooks',
  'GET /user/webhooks/events',
  'GET /action-center/overview',
  'GET /risk-brief/latest',
  'GET /metrics/subscription',
  'GET /metrics/threats',
  'GET /mmdb/info',
  'GET /mmdb/download',
];

/** Matches the paths of the watching capabilities, to find a route that no list above names. */
export const IS_OF_WATCH =
  /^\/(?:cases|alerts|monitoring|user\/webhooks|action-center|risk-brief|metrics|mmdb)(?:\/|$)/;
