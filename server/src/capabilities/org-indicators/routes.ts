import { z } from 'zod';
import { etagOf, isUnchanged } from '#platform/http/conditional.ts';
import { KEYED, type Policy } from '#platform/http/policy.ts';
import { NO_BODY, preparedBody, type Route, route } from '#platform/http/route.ts';
import {
  BlocklistParams,
  BlocklistStats,
  IndicatorParams,
  ListQuery,
  ListReply,
  RevokeReply,
  SubmitBody,
  SubmitReply,
} from './contract.ts';
import {
  listIndicators,
  type OrgIndicatorsDeps,
  removeIndicator,
  submitIndicators,
} from './keep-indicators.ts';
import { countBlocked, writeBlocklist } from './list-blocked.ts';

const TAGS = ['organization'];
/** Enough for 100 items of the greatest length, with comment and reason. */
const BODY_MAX = 512 * 1024;
/** Each answer belongs to one organization: no shared cache may keep it, and a browser asks again each time. */
const CACHE = 'private, no-cache';
/** For organizations on PRO or ENTERPRISE; metered by the burst alone (decisions 1.4, G51). */
const READ: Policy = { ...KEYED, plan: 'PRO', organization: true };
/** A viewer may not write for the organization. */
const WRITE: Policy = { ...READ, role: ['OWNER', 'ADMIN', 'MEMBER'], class: 'C' };

export const orgIndicatorsRoutes = (deps: OrgIndicatorsDeps): readonly Route[] => [
  submitRoute(deps),
  route({
    method: 'GET',
    path: '/org/indicators',
    summary: 'The indicators of your organization, newest first.',
    description: 'Revoked ones included; `status=approved` leaves them out.',
    tags: TAGS,
    policy: READ,
    query: ListQuery,
    reply: ListReply,
    handle: ({ principal, query }) => listIndicators(deps, principal, query),
  }),
  route({
    method: 'DELETE',
    path: '/org/indicators/:id',
    summary: 'Revoke an indicator of your organization.',
    description:
      'It leaves the lists in the same moment and the checks of every node within a second. Revoking it again answers the same. Reporting the value again restores it.',
    tags: TAGS,
    policy: WRITE,
    params: IndicatorParams,
    reply: RevokeReply,
    handle: ({ principal, params }) => removeIndicator(deps, principal, params.id),
  }),
  route({
    method: 'GET',
    path: '/org/blocklists/stats',
    summary: 'How many addresses, names and hashes your organization blocks.',
    description: 'Counts the lines of the three lists: approved, not ended and not allowed.',
    tags: TAGS,
    policy: READ,
    reply: BlocklistStats,
    handle: ({ principal }) => countBlocked(deps, principal),
  }),
  blocklistRoute(deps),
];

const submitRoute = (deps: OrgIndicatorsDeps): Route =>
  route({
    method: 'POST',
    path: '/org/indicators',
    summary: 'Report indicators of your organization: what it blocks, or allows.',
    description:
      'Up to 100 at once, approved at once. They count as one more source in the checks of your organization, and nowhere else. One that cannot be read refuses the whole batch with 400 and its index in `details[]`. A day (UTC) takes 200 new, restored or changed ones on PRO and 100,000 on ENTERPRISE; a batch beyond that is refused with 429 and nothing is stored. `warnings[]` names what blocking a value would hit: named services, popular hosts, shared infrastructure, and addresses of your own, in a range with their count and an example. Sending one again that has not changed costs nothing, unless the answer warns of it: a warning counts as a change does; sending a revoked one restores it. `disposition: allow`, `reason` and `endsAt` are an extension: an allowed value, and every address in an allowed range, is left out of your lists, and your checks say so without changing the score.',
    tags: TAGS,
    policy: { ...WRITE, bodyMax: BODY_MAX, idempotent: true, stores: true },
    body: SubmitBody,
    reply: SubmitReply,
    handle: ({ principal, body, request }) => submitIndicators(deps, principal, body.indicators, request.ip),
  });

const blocklistRoute = (deps: OrgIndicatorsDeps): Route =>
  route({
    method: 'GET',
    path: '/org/blocklists/:entityType',
    summary: 'What your organization blocks, as a list of one value a line.',
    description:
      'Approved values that have not ended, sorted by bytes, LF at each end of line. What the organization allows is left out: the value itself, and every address inside an allowed range; a range that holds an allowed address is split around it. Names below an allowed name stay. `If-None-Match` with the ETag of the last download answers 304.',
    tags: TAGS,
    policy: { ...READ, class: 'E', deadlineMs: 60_000 },
    params: BlocklistParams,
    produces: 'text/plain',
    conditional: true,
    reply: z.string().describe('text/plain; charset=utf-8'),
    replyHeaders: { ETag: 'Changes when a line of the list does.' },
    handle: async (call) => {
      const text = await writeBlocklist(deps, call.principal, call.params.entityType);
      if (isUnchanged(call, etagOf(text), CACHE)) return NO_BODY;
      call.reply.header('x-content-type-options', 'nosniff').type('text/plain; charset=utf-8');
      return preparedBody(text);
    },
  });
