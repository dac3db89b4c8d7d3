import { type AssistantDeps, createModel } from '#capabilities/assistant/index.ts';
import { type ContactsDeps, createContacts } from '#capabilities/contacts/index.ts';
import { type LookupDeps, lookUpEntity } from '#capabilities/ransomware/index.ts';
import { readKeywords, type SearchDeps, searchLookalikes } from '#capabilities/search/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import type { Config } from '#platform/config.ts';
import { badRequest } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import type { Outbound } from '#platform/outbound.ts';

type Parts = {
  readonly config: Config;
  readonly log: Log;
  readonly outbound: Outbound;
  readonly contacts: ContactsDeps;
  readonly search: SearchDeps;
  readonly ransomware: LookupDeps;
};

/** The assistant describes the answers of other capabilities; this is the only place that chooses which. */
export function assistantDeps({ config, log, outbound, contacts, search, ransomware }: Parts): AssistantDeps {
  const { reportEmail } = createContacts(contacts);
  return {
    check: (indicator, signal, principal) =>
      contacts.check({ indicator, enrichment: 'standard', asOfMs: null }, { signal, principal }),
    reportEmail: (email, signal, asker) => reportEmail({ email, enrichment: 'standard' }, signal, asker),
    search: async (keywords, { organizationId }) => {
      const asked = readKeywords({ keywords }, undefined);
      if (!asked.ok) throw badRequest(asked.reason, [{ path: 'keywords', message: asked.reason }]);
      const { results, total_hits: total } = await searchLookalikes(search, asked, organizationId);
      return { keywords: asked.keywords, hits: results.map(({ value }) => value), total };
    },
    lookUpRansomware: (text) => lookUpEntity(ransomware, { text, isStats: text === null }),
    domainOf: (name) => {
      const parsed = parseIndicator(name);
      return parsed.ok ? parsed.indicator : null;
    },
    model:
      config.AI_URL === undefined
        ? null
        : createModel({
            outbound,
            log,
            clock: contacts.clock,
            baseUrl: config.AI_URL,
            key: config.AI_KEY,
            model: config.AI_MODEL,
          }),
  };
}
