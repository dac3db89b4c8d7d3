import { type ContactAssessor, createContactAssessor } from '#capabilities/contacts/index.ts';
import type { Corpus } from '#capabilities/corpus/index.ts';
import { type Assessor, assessorFor } from '#capabilities/judging/index.ts';
import type { Providers } from '#capabilities/providers/index.ts';
import { judgeMessage, type MessageFacts, readAuthentication } from '#domain/mail/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { ScanContext } from './contract.ts';
import type { ScanResult } from './contract-result.ts';
import { gatherAnswers } from './gather-answers.ts';
import { presentScan } from './present-scan.ts';

export type ScanDeps = {
  readonly assess: Assessor;
  readonly corpus: Corpus;
  readonly clock: Clock;
  readonly providers: Pick<Providers, 'dns'>;
};

export type ScanAsker = { readonly organizationId: string | null };

export type ScanMessage = (
  facts: MessageFacts,
  of: {
    readonly context: ScanContext;
    readonly asker: ScanAsker;
    readonly signal: AbortSignal;
    readonly startedMs: number;
  },
) => Promise<ScanResult>;

/** Looks up the facts of a message and judges them. Nothing of the message is kept. */
export function createScan({ assess, corpus, clock, providers }: ScanDeps): ScanMessage {
  const assessContact: ContactAssessor = createContactAssessor({ corpus, clock });
  return async (facts, { context, asker, signal, startedMs }) => {
    const authentication = readAuthentication(facts.headers, {
      authservId: context.authservId ?? null,
      trustAuthenticationResults: context.trustAuthenticationResults ?? false,
      trustedHops: context.trustedHops ?? 1,
    });
    const deps = { assess: assessorFor(assess, asker.organizationId), assessContact, dns: providers.dns };
    const answers = await gatherAnswers(deps, facts, context, signal);
    const judged = judgeMessage(facts, answers, authentication);
    const latencyMs = Math.round(clock.monotonic() - startedMs);
    return presentScan(facts, answers, { authentication, judged, latencyMs });
  };
}
