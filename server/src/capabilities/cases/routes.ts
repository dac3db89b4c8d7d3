import { z } from 'zod';
import { actorOf } from '#capabilities/access/index.ts';
import { isUnchanged } from '#platform/http/conditional.ts';
import { KEYED, type Policy } from '#platform/http/policy.ts';
import { type Call, NO_BODY, preparedBody, type Route, route } from '#platform/http/route.ts';
import { addEvidence } from './add-evidence.ts';
import type { Acting, CasesDeps } from './cases-deps.ts';
import {
  ActionCase,
  AddEvidence,
  CaseParams,
  CreateCase,
  ExportQuery,
  ListQuery,
  PAYLOAD_BYTES_MAX,
  UpdateCase,
  Verified,
} from './contract.ts';
import { ExportedCase } from './contract-export.ts';
import { exportCase } from './export-case.ts';
import { changeCase, createCase, listCases, readCase, type Shown } from './keep-cases.ts';
import { verifyCase } from './verify-case.ts';

const TAGS = ['cases'];
const READ: Policy = { ...KEYED, since: '1.1.0' };
const EXTENSION: Policy = { ...READ, extension: true };
/** A viewer may not write for the organization. */
const WRITE: Policy = {
  ...READ,
  role: ['OWNER', 'ADMIN', 'MEMBER'],
  class: 'C',
  idempotent: true,
  stores: true,
};
/** Room for the payload with JSON escapes, and for the description. */
const EVIDENCE_BODY_MAX = 4 * PAYLOAD_BYTES_MAX;
/** The most JSON values that a payload can hold: the shortest value takes two bytes with its comma. */
const EVIDENCE_VALUES_MAX = PAYLOAD_BYTES_MAX / 2;
/** A repeat of a request whose answer is long shows the case as it is now. */
const againOf = (deps: CasesDeps) => ({
  idOf: ({ id }: ActionCase) => id,
  read: async (call: Pick<Call, 'principal' | 'reply'>, id: string) =>
    answer(call, await readCase(deps, call.principal, id)),
});
/** Each answer belongs to one account: no shared cache may keep it. */
const CACHE = 'private, no-cache';
const ETAG = { ETag: 'Changes with every write; send it as `If-Match` with a change.' };

const actingOf = ({ principal, request }: Pick<Call, 'principal' | 'request'>): Acting => ({
  principal,
  actor: actorOf(principal, request),
});

const answer = ({ reply }: Pick<Call, 'reply'>, { etag, shown }: Shown): ActionCase => {
  reply.header('etag', etag);
  return shown;
};

export const casesRoutes = (deps: CasesDeps): readonly Route[] => [
  listRoute(deps),
  route({
    method: 'POST',
    path: '/cases',
    summary: 'Open a case.',
    description:
      'Status OPEN, priority MEDIUM when none is sent. A linked alert, finding or saved check must be one of the same account. An account has the cases of its plan (1,000 on FREE, 10,000 on BASIC, 100,000 above), then 403.',
    tags: TAGS,
    policy: WRITE,
    body: CreateCase,
    status: 201,
    reply: ActionCase,
    replyHeaders: ETAG,
    again: againOf(deps),
    handle: async (call) => answer(call, await createCase(deps, actingOf(call), call.body)),
  }),
  ...oneRoutes(deps),
  ...proofRoutes(deps),
];

const listRoute = (deps: CasesDeps): Route =>
  route({
    method: 'GET',
    path: '/cases',
    summary: 'The cases of this account, newest first.',
    tags: TAGS,
    policy: READ,
    query: ListQuery,
    reply: z.array(ActionCase),
    replyHeaders: {
      Link: 'The next page, with `rel="next"`; absent on the last one.',
      'X-Total-Count': 'How many cases the filters match.',
    },
    handle: async ({ principal, query, request, reply }) => {
      const { cases, total, next } = await listCases(deps, principal, query);
      reply.header('x-total-count', String(total));
      if (next !== null) reply.header('link', `<${nextPage(request.url, next)}>; rel="next"`);
      return cases;
    },
  });

function nextPage(url: string, cursor: string): string {
  const [path = '', text = ''] = url.split('?');
  const query = new URLSearchParams(text);
  query.set('cursor', cursor);
  return `${path}?${query.toString()}`;
}

const oneRoutes = (deps: CasesDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/cases/:id',
    summary: 'One case with its evidence.',
    tags: TAGS,
    policy: EXTENSION,
    params: CaseParams,
    conditional: true,
    reply: ActionCase,
    replyHeaders: ETAG,
    handle: async (call) => {
      const { etag, shown } = await readCase(deps, call.principal, call.params.id);
      return isUnchanged(call, etag, CACHE) ? NO_BODY : shown;
    },
  }),
  route({
    method: 'PATCH',
    path: '/cases/:id',
    summary: 'Change a case.',
    description:
      'At least one field; null clears one that may be empty. A change of status is written as evidence. CLOSED can only become OPEN, else 409.',
    tags: TAGS,
    // A status can always change, also where the account has no room left.
    policy: { ...WRITE, stores: false },
    params: CaseParams,
    body: UpdateCase,
    reply: ActionCase,
    requestHeaders: {
      'If-Match':
        'The ETag of the case as you read it: 409 with who changed it and when, if it moved on since.',
    },
    replyHeaders: ETAG,
    again: againOf(deps),
    handle: async (call) =>
      answer(
        call,
        await changeCase(deps, actingOf(call), call.params.id, call.body, call.request.headers['if-match']),
      ),
  }),
  route({
    method: 'POST',
    path: '/cases/:id/evidence',
    summary: 'Add a piece of evidence to a case.',
    description:
      'Evidence is added and never changed or deleted. Answers the case with the new piece last. A case has at most 500 pieces and 4 MiB of them; all cases of an account together have the bytes of its plan (64 MiB on FREE, 1 GiB on BASIC, 10 GiB on PRO, 100 GiB on ENTERPRISE), then 403. A status can always change.',
    tags: TAGS,
    policy: { ...WRITE, bodyMax: EVIDENCE_BODY_MAX, bodyValuesMax: EVIDENCE_VALUES_MAX },
    params: CaseParams,
    body: AddEvidence,
    reply: ActionCase,
    replyHeaders: ETAG,
    again: againOf(deps),
    handle: async (call) => answer(call, await addEvidence(deps, actingOf(call), call.params.id, call.body)),
  }),
];

const proofRoutes = (deps: CasesDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/cases/:id/verify',
    summary: 'Is the evidence of this case as it was written?',
    description:
      'Computes every hash again and compares the chain with the case and with its daily seals. An export can be checked without this service.',
    tags: TAGS,
    policy: EXTENSION,
    params: CaseParams,
    reply: Verified,
    handle: ({ principal, params }) => verifyCase(deps, principal, params.id),
  }),
  route({
    method: 'GET',
    path: '/cases/:id/export',
    summary: 'One case as a file, with what a third party needs to check it.',
    description:
      '`json` has the hashed text of every piece, the newest daily seal and its way to the public root of that day; `md` is a page for people.',
    tags: TAGS,
    policy: { ...EXTENSION, class: 'E', deadlineMs: 30_000 },
    params: CaseParams,
    query: ExportQuery,
    produces: 'application/json',
    alsoProduces: ['text/markdown'],
    reply: ExportedCase,
    handle: async ({ principal, params, query, reply }) => {
      const file = await exportCase(deps, principal, params.id, query.format);
      reply.header('content-disposition', `attachment; filename="${file.name}"`);
      reply.header('x-content-type-options', 'nosniff').type(file.type);
      return preparedBody(file.body);
    },
  }),
];
