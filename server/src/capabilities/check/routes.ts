import { KEYED, type Policy } from '#platform/http/policy.ts';
import type { Principal } from '#platform/http/principal.ts';
import { ANSWERED, type Call, type Route, route } from '#platform/http/route.ts';
import type { CheckDeps } from './check-deps.ts';
import { type Check, createCheck } from './check-indicator.ts';
import {
  type CheckQuery,
  CheckResult,
  checkQuery,
  missingTarget,
  ReputationQuery,
  ReputationResult,
} from './contract.ts';
import { CheckEvent, StreamQuery } from './contract-stream.ts';
import { receiptsOfQuery } from './receipts.ts';
import { sendStream } from './send-stream.ts';
import { createStreamMarks, LAST_PLACE, type StreamMark, type StreamMarkDeps } from './stream-mark.ts';
import { writeCheck } from './write-check.ts';

/** Any key or session may check, for the burst and one check of the month (decisions 1.4). */
const POLICY: Policy = { ...KEYED, meter: 'checks', class: 'A', receipts: receiptsOfQuery };

const TARGET_HEADER = 'X-Assay-Target';
const TARGET_HEADER_MEANS =
  '`unreadable`: parameters were sent, but none of query, ip, domain and hash. Nothing was judged, and `malicious: false` is no verdict. Absent otherwise. An extension.';

/**
 * The answer to a request without a target (contract 2.1 rule 5). Its `malicious: false` reads like a verdict, so an
 * answer to a misspelt parameter also says that nothing was judged.
 */
function answerWithoutTarget({ query, request, reply }: Call<ReturnType<typeof checkQuery>>): CheckResult {
  const nothing = { malicious: false, apiVersion: 'v2', enrichmentLevel: query.enrichment } as const;
  const message = missingTarget(Object.keys(request.query as object));
  if (message === null) return nothing;
  reply.header(TARGET_HEADER, 'unreadable');
  return { ...nothing, target: null, message };
}

const levelOfCheck = ({ riskScore }: CheckResult): string | null => riskScore?.level ?? null;

export const checkRoutes = (deps: CheckDeps & StreamMarkDeps): readonly Route[] => {
  const { check, reputation, stream } = createCheck(deps);
  return [
    route({
      method: 'GET',
      path: '/check',
      summary: 'Is this IP address, domain, URL or file hash malicious?',
      description:
        '`basic` has the listings and starts no lookup: WHOIS, certificates and vulnerabilities are there when they are cached. `standard` adds the score, its parts and how far to trust it, and waits a quarter of a second for live lookups where they are on. `full` adds the timeline, related infrastructure, DNS and technologies, and waits up to 3 s. A part that is not available is null or absent and named in `dataTrust.completeness.missing`; one whose lookup goes on behind the answer is also in `pending`. Where live lookups are off, `full` still has the timeline and the related infrastructure, which are local. With `asOf`, `full` is answered at `standard`; `enrichmentLevel` names the level applied.',
      tags: ['check'],
      policy: {
        ...POLICY,
        // A request without a target costs only the burst (trap 9).
        costNote: '1; 0 without a target',
        cost: ({ query }) => ((query as CheckQuery).indicator === null ? 0 : 1),
        // An `asOf` outside the history is detected only while reading it, so its check is refunded.
        refundOn: [400],
      },
      query: checkQuery(deps.clock),
      reply: CheckResult,
      replyHeaders: { [TARGET_HEADER]: TARGET_HEADER_MEANS },
      write: writeCheck,
      outcome: levelOfCheck,
      handle: (call) => {
        const { indicator } = call.query;
        return indicator === null ? answerWithoutTarget(call) : check({ ...call.query, indicator }, call);
      },
    }),
    route({
      method: 'GET',
      path: '/check/reputation',
      summary: 'How many scanner-type sources call this IP address or domain malicious?',
      description:
        'The counts of `GET /check` at `standard`: a live scanner is asked as well where one is set up. Four zeros: none of them answered, which is not "harmless"; `blocklistHits`, `riskScore` and `message` say what the lists know.',
      tags: ['check'],
      policy: POLICY,
      query: ReputationQuery,
      reply: ReputationResult,
      handle: (call) => reputation(call.query.indicator, call),
    }),
    streamRoute(deps, stream),
  ];
};

function streamRoute(deps: StreamMarkDeps, stream: Check['stream']): Route {
  const marks = createStreamMarks(deps);
  const markOf = (principal: Principal, query: StreamQuery, { headers }: Headed): StreamMark | null =>
    marks.read({ principal, indicator: query.indicator }, headers['last-event-id']);
  return route({
    method: 'GET',
    path: '/check/stream',
    summary: 'The same check, phase by phase as it becomes known.',
    description:
      'Server-Sent Events. Each data line is one `{type, data}`: `reputation`, `basic`, `insights`, `dns` (names only), `enrichment`, `done`, in this order and within 8 s. A lookup that failed or was too slow is named in `degraded` of the phase. Without credentials 10 an hour and 50 a month per address. A connection that broke is resumed without a second charge: send the `id` of the last event as `Last-Event-ID` within two minutes, as the same caller and for the same target, and the phases after it are sent; after `done` the answer is 204. Any other `Last-Event-ID` is a new check. Resuming is an extension.',
    tags: ['check'],
    policy: {
      ...POLICY,
      auth: 'optional',
      class: 'B',
      head: 'handled',
      costNote: '1; 0 to resume',
      cost: ({ query, principal, request }) =>
        principal !== null && markOf(principal, query as StreamQuery, request) !== null ? 0 : 1,
    },
    query: StreamQuery,
    otherStatuses: { 204: 'Nothing is left to send after the event of Last-Event-ID.' },
    reply: CheckEvent,
    produces: 'text/event-stream',
    handle: async (call) => {
      const { query, principal, request, reply } = call;
      const owner = { principal, indicator: query.indicator };
      const mark = markOf(principal, query, request) ?? { seen: 0, startedMs: deps.clock.now() };
      // 204 tells an EventSource not to reconnect after `done`.
      if (mark.seen === LAST_PLACE) reply.code(204).send();
      else await sendStream(stream, call, { mark, idOf: (at) => marks.write(owner, at) });
      return ANSWERED;
    },
  });
}
type Headed = { readonly headers: Readonly<Record<string, string | string[] | undefined>> };
