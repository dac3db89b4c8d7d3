import { actorOf } from '#capabilities/access/index.ts';
import { type CostInput, KEYED, type Policy } from '#platform/http/policy.ts';
import { type Call, type Route, route } from '#platform/http/route.ts';
import {
  NotifyBody,
  NotifyReply,
  UnwatchBody,
  UnwatchReply,
  WatchBody,
  WatchItem,
  WatchList,
  WatchMetrics,
  WatchQuery,
} from './contract.ts';
import {
  type Acting,
  addItem,
  isWatched,
  listItems,
  type MonitoringDeps,
  measureItems,
  removeItem,
  toggleNotify,
} from './keep-items.ts';
import { indicatorOf } from './target.ts';

const TAGS = ['monitoring'];
const READ: Policy = { ...KEYED, since: '1.1.0' };
/** A viewer may not write for the organization. */
const WRITE: Policy = { ...READ, role: ['OWNER', 'ADMIN', 'MEMBER'], class: 'C', idempotent: true };

const watchedIn = ({ body }: CostInput) => indicatorOf((body as WatchBody).value);
/** A new value costs one check, because the answer says how it stands (O62). */
const watchPolicy = (deps: MonitoringDeps): Policy => ({
  ...WRITE,
  stores: true,
  meter: 'checks',
  costNote: '1; 0 for a value that is watched already',
  receipts: (input) => {
    const indicator = watchedIn(input);
    return indicator === null ? {} : { checks: [indicator.value] };
  },
  isFree: async (input) => input.principal !== null && isWatched(deps, input.principal, watchedIn(input)),
  refundOn: [400, 403, 409],
});

const actingOf = ({ principal, request }: Pick<Call, 'principal' | 'request'>): Acting => ({
  principal,
  actor: actorOf(principal, request),
});

export const monitoringRoutes = (deps: MonitoringDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/monitoring',
    summary: 'What this account watches, newest first.',
    description: '`total` is the number of items, `limit` how many the plan allows.',
    tags: TAGS,
    policy: READ,
    query: WatchQuery,
    reply: WatchList,
    handle: ({ principal, query }) => listItems(deps, principal, query),
  }),
  route({
    method: 'POST',
    path: '/monitoring',
    summary: 'Watch an address, a domain, a URL or an e-mail address.',
    description:
      'The first check is a baseline and raises nothing. Afterwards a change of level comes as an alert: of the value itself, of the host of a URL, of a domain above it, of a range around it, of the domain of a mailbox, and of what the organization reports itself. One that is watched already is answered with 200 as it is. Above the number of the plan 403: 3 on FREE, 25 on BASIC, 250 on PRO, 5,000 on ENTERPRISE. A new value costs one check; one that is watched already costs nothing. On FREE a place is free again 24 hours after its value was removed.',
    tags: TAGS,
    policy: watchPolicy(deps),
    body: WatchBody,
    otherStatuses: { 200: 'The value is on the watchlist already. The answer is the existing item.' },
    reply: WatchItem,
    status: 201,
    handle: async (call) => {
      const { isNew, item } = await addItem(deps, actingOf(call), call.body);
      if (!isNew) {
        void call.reply.code(200);
        call.giveBack();
      }
      return item;
    },
  }),
  route({
    method: 'GET',
    path: '/monitoring/metrics',
    summary: 'How what is watched stands.',
    tags: TAGS,
    policy: READ,
    reply: WatchMetrics,
    handle: ({ principal }) => measureItems(deps, principal),
  }),
  route({
    method: 'POST',
    path: '/monitoring/toggle-notify',
    summary: 'Switch letters about one item on or off.',
    tags: TAGS,
    policy: WRITE,
    body: NotifyBody,
    mayBeAbsent: true,
    reply: NotifyReply,
    handle: (call) => toggleNotify(deps, actingOf(call), call.body),
  }),
  route({
    method: 'POST',
    path: '/monitoring/unwatch',
    summary: 'Stop watching something.',
    description:
      'By `id`, or by `entityType` and `value`. Its alerts stay. On FREE its place is free again after 24 hours.',
    tags: TAGS,
    policy: WRITE,
    body: UnwatchBody,
    mayBeAbsent: true,
    reply: UnwatchReply,
    handle: (call) => removeItem(deps, actingOf(call), call.body),
  }),
];
