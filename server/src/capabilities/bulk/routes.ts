import type { ContactSummaries } from '#capabilities/contacts/index.ts';
import { type Assessor, assessorFor } from '#capabilities/judging/index.ts';
import { PLAN_LIMITS } from '#domain/plans/plans.ts';
import type { Clock } from '#platform/clock.ts';
import { ServiceError } from '#platform/errors.ts';
import { CREDENTIAL_WAYS } from '#platform/http/credential-words.ts';
import { KEYED, type Policy } from '#platform/http/policy.ts';
import type { Principal } from '#platform/http/principal.ts';
import { type Call, type PreparedBody, preparedBody, type Route, route } from '#platform/http/route.ts';
import { type AnswerDeps, answerCsv, answerJson } from './answer-batch.ts';
import { ALL_PLANS, BulkBody, BulkLimits, BulkRefusal, BulkReply, type BulkRequest } from './contract.ts';
import { createRowTemplates } from './row-template.ts';

type BulkCaller = {
  readonly plan: string;
  readonly billing: string | null;
  readonly limits: { readonly bulkEntities: number };
};

export type BulkDeps = {
  readonly clock: Clock;
  readonly assess: Assessor;
  readonly contacts: ContactSummaries;
  readonly callerOf: (principal: Principal) => BulkCaller | null;
};

const TAGS = ['check'];
/** Room for 500 entities of 2,048 characters with JSON around them; also the limit of any JSON body (decisions 1.2). */
const BODY_MAX = 1024 * 1024;
const PATH = '/bulk/check';
const NO_PLAN: BulkCaller = { plan: 'FREE', billing: null, limits: PLAN_LIMITS.FREE };

const POLICY: Policy = { ...KEYED, class: 'B' };

export const bulkRoutes = (deps: BulkDeps): readonly Route[] => {
  const callerOf = (principal: Principal | null): BulkCaller =>
    (principal === null ? null : deps.callerOf(principal)) ?? NO_PLAN;
  const answering: AnswerDeps = {
    clock: deps.clock,
    assess: deps.assess,
    contacts: deps.contacts,
    templates: createRowTemplates(),
  };
  return [
    route({
      method: 'GET',
      path: PATH,
      summary: 'How many entities may be checked at once.',
      tags: TAGS,
      policy: POLICY,
      reply: BulkLimits,
      handle: ({ principal }) => describeLimits(callerOf(principal)),
    }),
    route({
      method: 'POST',
      path: PATH,
      summary:
        'Check many IP addresses, domains, URLs, file hashes, e-mail addresses and phone numbers at once.',
      description:
        'Answers from the local replica, all rows from one state of it. An entity that cannot be judged has a row with its reason in `error` and costs nothing. With `format: csv` the answer is text/csv. A batch over the cap of the plan is refused with 400, one over what is left of the month with 429; neither is charged.',
      tags: TAGS,
      policy: {
        ...POLICY,
        meter: 'checks',
        costNote: '1 per unique entity that can be judged',
        cost: ({ body, principal }) => costOf(body as BulkRequest, callerOf(principal)),
        receipts: ({ body }) => ({ checks: valuesOf(body as BulkRequest) }),
        bodyMax: BODY_MAX,
      },
      body: BulkBody,
      reply: BulkReply,
      alsoProduces: ['text/csv'],
      refusal: BulkRefusal,
      handle: (call) => {
        const { body } = call;
        refuseOverCap(body, callerOf(call.principal));
        const own: AnswerDeps = {
          ...answering,
          assess: assessorFor(deps.assess, call.principal.organizationId),
          note: (level) => call.note(level),
        };
        return body.format === 'csv' ? sendCsv(call, own) : sendJson(call, own);
      },
    }),
  ];
};

/** A batch over the cap costs only the burst and is not parsed (trap 18). */
const costOf = ({ submitted, batch }: BulkRequest, { limits }: BulkCaller): number =>
  submitted > limits.bulkEntities ? 0 : batch().judged;

const valuesOf = ({ batch }: BulkRequest): readonly string[] =>
  batch().entries.flatMap(({ target }) =>
    target.ok && 'indicator' in target ? [target.indicator.value] : [],
  );

/** Duplicates and short entities count towards the cap; the refusal has the fields of an answer and an error (G19). */
function refuseOverCap({ submitted }: BulkRequest, { plan, limits }: BulkCaller): void {
  if (submitted <= limits.bulkEntities) return;
  const message = `Plan ${plan} allows up to ${limits.bulkEntities} entities per request; ${submitted} were submitted.`;
  throw new ServiceError('Bad Request', message, {
    details: [{ path: 'entities', message }],
    body: { success: false, total: submitted, processed: 0, results: [], errors: [message] },
  });
}

type BatchCall = Call<undefined, undefined, typeof BulkBody>;

async function sendCsv({ body, reply }: BatchCall, deps: AnswerDeps): Promise<PreparedBody> {
  const text = await answerCsv(deps, body);
  reply.header('content-disposition', 'attachment; filename="bulk-check.csv"');
  reply.type('text/csv; charset=utf-8');
  return preparedBody(text);
}

async function sendJson({ body, reply }: BatchCall, deps: AnswerDeps): Promise<PreparedBody> {
  const text = await answerJson(deps, body);
  reply.type('application/json; charset=utf-8');
  return preparedBody(text);
}

const describeLimits = ({ plan, billing, limits }: BulkCaller): BulkLimits => ({
  endpoint: '/api/bulk/check',
  method: 'POST',
  description:
    'Checks many IP addresses, domains, URLs, file hashes, e-mail addresses and phone numbers in one request.',
  authentication: `Send ${CREDENTIAL_WAYS}.`,
  limits: {
    currentPlan: plan === 'FREE' || billing === null ? plan : `${plan}_${billing}`,
    maxEntitiesPerRequest: limits.bulkEntities,
    allPlans: ALL_PLANS,
  },
});
