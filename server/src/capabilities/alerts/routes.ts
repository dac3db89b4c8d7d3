import { actorOf } from '#capabilities/access/index.ts';
import { KEYED, type Policy } from '#platform/http/policy.ts';
import { type Call, type Route, route } from '#platform/http/route.ts';
import {
  AlertBody,
  AlertFunnel,
  AlertList,
  AlertMetrics,
  AlertParams,
  AlertQuery,
  AlertReply,
  AlertTrends,
  FunnelQuery,
  TrendsQuery,
} from './contract.ts';
import { type Acting, type AlertsDeps, decideAlert, listAlerts } from './keep-alerts.ts';
import { funnelOf, measureAlerts, trendsOf } from './measure-alerts.ts';

const TAGS = ['alerts'];
const READ: Policy = { ...KEYED, since: '1.1.0' };
/** A viewer may not decide for the organization. */
const WRITE: Policy = { ...READ, role: ['OWNER', 'ADMIN', 'MEMBER'], class: 'C', idempotent: true };

const actingOf = ({ principal, request }: Pick<Call, 'principal' | 'request'>): Acting => ({
  principal,
  actor: actorOf(principal, request),
});

export const alertsRoutes = (deps: AlertsDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/alerts',
    summary: 'The alerts of this account, latest activity first.',
    description:
      'Open and acknowledged ones unless `status` says otherwise. What is raised again while it is not resolved counts in `occurrences` of the same alert. `reason` says why each came.',
    tags: TAGS,
    policy: READ,
    query: AlertQuery,
    reply: AlertList,
    handle: ({ principal, query }) => listAlerts(deps, principal, query),
  }),
  route({
    method: 'PATCH',
    path: '/alerts/:id',
    summary: 'Acknowledge, resolve or reopen an alert.',
    description:
      'Any status may follow any other. The finding of a `cve.finding` alert moves with it: acknowledged is acknowledged, resolved is patched, open is open again. 409 where a newer alert about the same thing is not resolved.',
    tags: TAGS,
    policy: WRITE,
    params: AlertParams,
    body: AlertBody,
    reply: AlertReply,
    handle: (call) => decideAlert(deps, actingOf(call), call.params.id, call.body.status),
  }),
  route({
    method: 'GET',
    path: '/alerts/metrics',
    summary: 'How many alerts there are, and how long they take.',
    tags: TAGS,
    policy: READ,
    reply: AlertMetrics,
    handle: ({ principal }) => measureAlerts(deps, principal),
  }),
  route({
    method: 'GET',
    path: '/alerts/funnel',
    summary: 'Of the alerts of the last days: detected, opened, acknowledged, resolved.',
    tags: TAGS,
    policy: READ,
    query: FunnelQuery,
    reply: AlertFunnel,
    handle: ({ principal, query }) => funnelOf(deps, principal, query.days),
  }),
  route({
    method: 'GET',
    path: '/alerts/trends',
    summary: 'Alerts opened and resolved on each day, and how long resolving took.',
    tags: TAGS,
    policy: READ,
    query: TrendsQuery,
    reply: AlertTrends,
    handle: ({ principal, query }) => trendsOf(deps, principal, query.days),
  }),
];
