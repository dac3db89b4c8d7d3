import type { Evidence } from '#capabilities/check/index.ts';
import type { Corpus } from '#capabilities/corpus/index.ts';
import type { Assessor } from '#capabilities/judging/index.ts';
import { missing } from '#capabilities/providers/index.ts';
import type { Email } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import { createContactAssessor } from './assess-contact.ts';
import { assessEmail } from './assess-email.ts';
import { checkPhone } from './check-phone.ts';
import type { ContactRisk } from './contract.ts';
import type { PhoneQuery } from './contract-query.ts';
import { imitatedBy } from './imitated-brand.ts';
import { presentReport } from './present-email.ts';

/** The verdict that the route of the contact gives, from local data alone, for routes that answer many values. */
export type ContactSummary = {
  readonly malicious: boolean;
  readonly riskScore: ContactRisk;
  readonly evidence: Evidence;
  /** How many lists accuse the contact or, for an e-mail address, its domain. */
  readonly sources: number;
  readonly categories: readonly string[];
  readonly attributes: readonly string[];
  /** The state of the data that the contact was judged on. */
  readonly snapshotId: string;
};

export type ContactSummaries = {
  /** The caller passes `assess`, so that all values of one answer are judged at one moment. */
  readonly email: (assess: Assessor, email: Email) => ContactSummary;
  readonly phone: (query: PhoneQuery, nowMs: number) => ContactSummary;
};

const OFF = missing('off');

export function createContactSummaries(deps: {
  readonly corpus: Corpus;
  readonly clock: Clock;
}): ContactSummaries {
  const assessContact = createContactAssessor(deps);
  return {
    email: (assess, email) => {
      const assessed = assessEmail(assess, email, OFF);
      const context = { dns: OFF, whois: OFF, lookalike: imitatedBy(email) };
      const { malicious, riskScore, evidence } = presentReport(assessed, context, 'fast');
      const { verdict, context: facts, snapshotId } = assessed.address;
      const { blocklistHits, categories } = verdict;
      return {
        malicious,
        riskScore,
        evidence,
        sources: blocklistHits,
        categories,
        attributes: facts.labels,
        snapshotId,
      };
    },
    phone: (query, nowMs) => {
      const { malicious, riskScore, evidence, blocklistHits, categories, dataTrust } = checkPhone(
        assessContact,
        query,
        nowMs,
      );
      const snapshotId = dataTrust?.snapshotId ?? '';
      return {
        malicious,
        riskScore,
        evidence,
        sources: blocklistHits,
        categories,
        attributes: [],
        snapshotId,
      };
    },
  };
}
