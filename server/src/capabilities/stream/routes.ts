import { KEYED, type Policy } from '#platform/http/policy.ts';
import { ANSWERED, type Route, route } from '#platform/http/route.ts';
import { StreamQuery, ThreatEvent } from './contract.ts';
import { type StreamDeps, sendStream } from './send-stream.ts';

/** A key on PRO or ENTERPRISE; the burst at the opening (contract 5 rule 3, decisions 1.4). */
export const STREAM_POLICY: Policy = {
  ...KEYED,
  auth: 'key',
  plan: 'PRO',
  class: 'B',
  head: 'handled',
  called: 'The streaming API',
};

export const streamRoutes = (deps: StreamDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/stream',
    summary: 'Threats as they become known, without end.',
    description:
      'Server-Sent Events. Each data line is one `{type, data}`. An indicator that is accused for the first time is `threat.new`, one that other sources accuse than before `threat.updated`, and one whose level changed with its listings `reputation.changed`; mere ageing is not told. `ioc.published` says that an indicator entered a TAXII collection, `watchlist.alert` is about what you watch; both are sent to your organization alone where they are its own. Of a list that is loaded for the first time, and of what one run changes beyond 1,000 indicators, one `summary` is sent. `Last-Event-ID` resumes after that event: the log has 24 hours or the newest 100,000 shared events; where it does not reach back so far, a `gap` comes first. PRO holds 2 streams at once, ENTERPRISE 10; more are 429. A reader that is 1 MiB or 30 s behind is closed and may resume. The stream ends within 60 s when its key is revoked or its plan no longer has it.',
    tags: ['stream'],
    policy: STREAM_POLICY,
    query: StreamQuery,
    reply: ThreatEvent,
    produces: 'text/event-stream',
    handle: async (call) => {
      await sendStream(deps, call);
      return ANSWERED;
    },
  }),
];
