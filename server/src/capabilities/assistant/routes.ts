import { z } from 'zod';
import { type Asker, type CheckResult, receiptsOfQuery, StreamQuery } from '#capabilities/check/index.ts';
import type { Email, Indicator } from '#domain/indicator/index.ts';
import { KEYED, type Policy } from '#platform/http/policy.ts';
import { preparedBody, type Route, route } from '#platform/http/route.ts';
import { briefOfEmail, briefOfSearch, type FoundLookalikes, type ReportedEmail } from './brief-others.ts';
import { briefOfRansomware, type RansomwareFound } from './brief-ransomware.ts';
import { Analysis, Brief, GptEmailQuery, GptRansomwareQuery, GptSearchQuery } from './contract.ts';
import type { Model } from './model.ts';
import { PLAIN_CSP, renderPlain } from './plain-page.ts';
import { briefOfCheck } from './present-brief.ts';
import { wordAnalysis } from './word-analysis.ts';

export type AssistantDeps = {
  readonly check: (
    indicator: Indicator,
    signal: AbortSignal,
    asker: Asker,
  ) => CheckResult | Promise<CheckResult>;
  readonly search: (keywords: string, asker: Asker) => Promise<FoundLookalikes>;
  readonly reportEmail: (email: Email, signal: AbortSignal, asker: Asker) => Promise<ReportedEmail>;
  /** Looks up claims of ransomware groups about the text; null gives statistics. */
  readonly lookUpRansomware: (text: string | null) => Promise<RansomwareFound>;
  readonly domainOf: (name: string) => Indicator | null;
  readonly model: Model | null;
};

const TAGS = ['assistant'];
/** An answer costs the burst and one check on both hosts; unreadable input costs no check (decisions 1.4). */
const POLICY: Policy = { ...KEYED, meter: 'checks', class: 'B', refundOn: [400] };

export const assistantRoutes = (deps: AssistantDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/gpt/check',
    summary: 'A check as one flat object of at most 4 KB, in words.',
    description: 'The same verdict as `/check` at `standard`; the words are made from its evidence by rule.',
    tags: TAGS,
    policy: { ...POLICY, receipts: receiptsOfQuery },
    query: StreamQuery,
    reply: Brief,
    handle: async ({ query, signal, principal }) =>
      briefOfCheck(await deps.check(query.indicator, signal, principal), query.indicator.kind),
  }),
  route({
    method: 'GET',
    path: '/check/plain',
    summary: 'The verdict as one HTML page without scripts.',
    description:
      'The words of `/gpt/check` for a reader whose browser runs no scripts, or could not load those of the dashboard. Costs what `/check/stream` costs, and shares its limits without credentials.',
    tags: TAGS,
    policy: { ...POLICY, auth: 'optional', extension: true, receipts: receiptsOfQuery },
    query: StreamQuery,
    produces: 'text/html; charset=utf-8',
    reply: z.string(),
    handle: async ({ query, signal, principal, reply }) => {
      reply.header('content-security-policy', PLAIN_CSP).type('text/html; charset=utf-8');
      return preparedBody(Buffer.from(renderPlain(await deps.check(query.indicator, signal, principal))));
    },
  }),
  route({
    method: 'GET',
    path: '/gpt/search',
    summary: 'Listed look-alikes of a brand, in words.',
    description:
      'The verdict is that of the most dangerous one found; none found is no verdict on the brand.',
    tags: TAGS,
    policy: POLICY,
    query: GptSearchQuery,
    reply: Brief,
    handle: async ({ query, signal, principal }) => {
      const found = await deps.search(query.keywords, principal);
      const first = found.hits[0] === undefined ? null : deps.domainOf(found.hits[0]);
      return briefOfSearch(found, first === null ? null : await deps.check(first, signal, principal));
    },
  }),
  route({
    method: 'GET',
    path: '/gpt/email',
    summary: 'A check of an e-mail address, in words.',
    description: 'The same verdict as the evidence of `/api/check/email`.',
    tags: TAGS,
    policy: POLICY,
    query: GptEmailQuery,
    reply: Brief,
    handle: async ({ query, signal, principal }) =>
      briefOfEmail(await deps.reportEmail(query.email, signal, principal)),
  }),
  ransomwareRoute(deps),
  route({
    method: 'POST',
    path: '/ai-analysis',
    summary: 'A paragraph about an indicator, how far to trust it, and what to do.',
    description:
      'Worded from the evidence by rule, or by the model the operator configured; confidence and action are those of the check either way.',
    tags: TAGS,
    policy: { ...POLICY, deadlineMs: 15_000 },
    body: StreamQuery,
    reply: Analysis,
    handle: async ({ body, signal, principal }) =>
      wordAnalysis(await deps.check(body.indicator, signal, principal), deps.model, signal),
  }),
];

const ransomwareRoute = (deps: AssistantDeps): Route =>
  route({
    method: 'GET',
    path: '/gpt/ransomware',
    summary: 'What ransomware groups claim about a domain, a name or themselves, in words.',
    description:
      'The answer of `/check/ransomware` as text. A claim is no verdict: `verdict` is always unknown. Without a query, statistics.',
    tags: TAGS,
    policy: POLICY,
    query: GptRansomwareQuery,
    reply: Brief,
    handle: async (call) => {
      const found = await deps.lookUpRansomware(call.query.query);
      if (!found.loaded) call.giveBack();
      return briefOfRansomware(found);
    },
  });
