import type { Asker, createCheck } from '#capabilities/check/index.ts';
import type { Corpus } from '#capabilities/corpus/index.ts';
import { type Assessor, assessorFor } from '#capabilities/judging/index.ts';
import type { Wallet } from '#domain/contact/index.ts';
import type { Clock } from '#platform/clock.ts';
import { analyzeInput } from './analyze-input.ts';
import { createContactAssessor } from './assess-contact.ts';
import { assessEmail } from './assess-email.ts';
import { checkPhone } from './check-phone.ts';
import { checkWallet } from './check-wallet.ts';
import type { Analysis, EmailReport, EmailResult, PhoneResult, WalletResult } from './contract.ts';
import type { AnalyzeBody, EmailQuery, PhoneQuery } from './contract-query.ts';
import { askDns, askWhois, type MailProviders } from './gather-mail.ts';
import { imitatedBy } from './imitated-brand.ts';
import { presentEmail, presentReport } from './present-email.ts';

export type ContactsDeps = {
  readonly assess: Assessor;
  readonly corpus: Corpus;
  readonly clock: Clock;
  readonly providers: MailProviders;
  readonly check: ReturnType<typeof createCheck>['check'];
};

export type Contacts = {
  readonly checkEmail: (query: EmailQuery, signal?: AbortSignal, asker?: Asker) => Promise<EmailResult>;
  /** `checkEmail` with the fields that decisions 3.3 adds on the web host. */
  readonly reportEmail: (query: EmailQuery, signal?: AbortSignal, asker?: Asker) => Promise<EmailReport>;
  readonly checkPhone: (query: PhoneQuery) => PhoneResult;
  readonly checkWallet: (wallet: Wallet) => WalletResult;
  readonly analyze: (body: AnalyzeBody, signal?: AbortSignal, asker?: Asker) => Promise<Analysis>;
};

export function createContacts(deps: ContactsDeps): Contacts {
  const assess = createContactAssessor(deps);
  const ownOf = (asker: Asker | undefined) => assessorFor(deps.assess, asker?.organizationId);
  const contacts: Contacts = {
    checkEmail: async ({ email, enrichment }, signal, asker) => {
      const dns = await askDns(deps.providers, email.domain, enrichment, signal);
      return presentEmail(assessEmail(ownOf(asker), email, dns), enrichment);
    },
    reportEmail: async ({ email, enrichment }, signal, asker) => {
      const [dns, whois] = await Promise.all([
        askDns(deps.providers, email.domain, enrichment, signal),
        askWhois(deps.providers, email.domain, enrichment, signal),
      ]);
      const lookalike = imitatedBy(email);
      return presentReport(assessEmail(ownOf(asker), email, dns), { dns, whois, lookalike }, enrichment);
    },
    checkPhone: (query) => checkPhone(assess, query),
    checkWallet: (wallet) => checkWallet(assess, wallet),
    analyze: (body, signal, asker) => analyzeInput(deps, contacts, body, signal, asker),
  };
  return contacts;
}
