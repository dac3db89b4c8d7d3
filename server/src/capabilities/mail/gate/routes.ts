import { type Assessor, assessorFor } from '#capabilities/judging/index.ts';
import { judgeContent, judgeLink } from '#domain/gate/index.ts';
import type { LinkFact } from '#domain/mail/index.ts';
import { badRequest } from '#platform/errors.ts';
import { KEYED, type Policy } from '#platform/http/policy.ts';
import type { Principal } from '#platform/http/principal.ts';
import { type Route, route } from '#platform/http/route.ts';
import { SCAN_DEADLINE_MS } from '../contract.ts';
import { whatIsLoaded } from '../gather-answers.ts';
import { LEVEL_OF_GATE, LEVEL_OF_LINK } from '../level-of-verdict.ts';
import { lookUpLink } from '../look-up.ts';
import type { MailDeps } from '../mail-deps.ts';
import type { Opened } from '../scan-slot.ts';
import { CONTENT_BODY_MAX, ContentBody, GateQuota, GateScan, GateUrl, GateUrlQuery } from './contract.ts';
import { NOT_A_WEB_ADDRESS, readSource } from './read-source.ts';

const TAGS = ['gate'];
const SPANS_SHOWN_MAX = 200;
const LINK_DEADLINE_MS = 20_000;

/** One scan of the month, like a mail scan, and its minute of 600 (decisions 1.4). */
const SCAN_POLICY: Policy = {
  ...KEYED,
  meter: 'scans',
  class: 'C',
  bodyMax: CONTENT_BODY_MAX,
  deadlineMs: SCAN_DEADLINE_MS,
  refundOn: [413],
  extension: true,
};
/** Integrations test their key with it, so it costs nothing, not even of the burst (decisions 1.4). */
const QUOTA_POLICY: Policy = { ...KEYED, meter: 'none' };

export const gateRoutes = (deps: MailDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/gate/quota',
    summary: 'How many scans of this month are used?',
    tags: TAGS,
    policy: QUOTA_POLICY,
    reply: GateQuota,
    handle: ({ principal }) => quotaOf(deps, principal),
  }),
  route({
    method: 'POST',
    path: '/gate/scan',
    summary: 'May a program read this text?',
    description:
      'Looks in a text or page for sentences that are meant for the program that reads it, and for links that threat lists name. `block`: a malicious link, or sentences of several kinds. `warn`: a listed link, such a sentence, or links that could not be read. The sentences are found by heuristics: a text that quotes one scores as well. Nothing of the content is stored, and no link is opened.',
    tags: TAGS,
    policy: SCAN_POLICY,
    body: ContentBody,
    intake: { takeSlot: (principal) => deps.threads.takeSlot(principal, 'content') },
    reply: GateScan,
    outcome: ({ verdict }) => LEVEL_OF_GATE[verdict],
    handle: async ({ body, principal }) => {
      const startedMs = deps.clock.monotonic();
      // The intake of this route has replaced the body's bytes by an opened text.
      const opened = body as unknown as Opened<'content'>;
      const { mode, source } = opened.context;
      const assess = assessorFor(deps.assess, principal.organizationId);
      const { content, links, isLinksCut, injection, unreadLinks } = await opened.facts();
      const words = links.map(({ indicator, host }) => lookUpLink(assess, indicator, host));
      const facts = { links, isLinksCut, injection, unreadLinks };
      const judged = judgeContent(content, facts, words, isLoaded(assess));
      const { score, families, spans } = injection;
      return {
        verdict: judged.verdict,
        injection: { score, families: [...families], spans: spans.slice(0, SPANS_SHOWN_MAX) },
        links: links.map(({ url, host }, at) => ({
          url,
          entity: host.value,
          verdict: judged.links[at] ?? 'unknown',
          sources: words[at]?.sources ?? 0,
        })),
        links_truncated: isLinksCut,
        mode,
        source: source === null ? null : presentLink(assess, source),
        sanitized_content: judged.sanitized,
        latency_ms: Math.round(deps.clock.monotonic() - startedMs),
      };
    },
  }),
  route({
    method: 'GET',
    path: '/gate/url',
    summary: 'May a program open this link?',
    description:
      '`clean` needs a host that the dataset knows as established and no threat list that names it; a link that the dataset does not know is `unknown`. The link is not opened.',
    tags: TAGS,
    policy: { ...SCAN_POLICY, deadlineMs: LINK_DEADLINE_MS },
    query: GateUrlQuery,
    reply: GateUrl,
    outcome: ({ verdict }) => LEVEL_OF_LINK[verdict],
    handle: async ({ query, principal }) => {
      const startedMs = deps.clock.monotonic();
      const assess = assessorFor(deps.assess, principal.organizationId);
      const link = readSource(query.u);
      if (link === null) throw badRequest(`u: ${NOT_A_WEB_ADDRESS}`);
      const { url, entity, verdict, sources } = presentLink(assess, link);
      return { verdict, url, entity, sources, latency_ms: Math.round(deps.clock.monotonic() - startedMs) };
    },
  }),
];

const isLoaded = (assess: Assessor): boolean => {
  const { hasPopularNames, hasThreatLists } = whatIsLoaded(assess);
  return hasPopularNames && hasThreatLists;
};

function presentLink(assess: Assessor, { url, indicator, host }: LinkFact): NonNullable<GateScan['source']> {
  const word = lookUpLink(assess, indicator, host);
  return { url, entity: host.value, verdict: judgeLink(word, isLoaded(assess)), sources: word.sources };
}

async function quotaOf({ scansOf }: Pick<MailDeps, 'scansOf'>, principal: Principal): Promise<GateQuota> {
  const { used, limit, startsAtMs, resetsAtMs, isSuspended } = await scansOf(principal);
  return {
    meter: 'scans',
    plan: principal.plan,
    used,
    limit,
    remaining: Math.max(0, limit - used),
    percentage: limit === 0 ? 100 : Math.round((used / limit) * 1_000) / 10,
    periodStart: new Date(startsAtMs).toISOString(),
    resetsAt: new Date(resetsAtMs).toISOString(),
    billingIssue: isSuspended,
  };
}
