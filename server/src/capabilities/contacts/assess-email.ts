import type { Listing } from '#capabilities/corpus/index.ts';
import type { Assessment, Assessor } from '#capabilities/judging/index.ts';
import { type DnsFacts, foundValue, type Outcome } from '#capabilities/providers/index.ts';
import {
  contactVerdictOf,
  type EmailFacts,
  type EmailScore,
  isLargeDisposable,
  isLargeFreeProvider,
  judgeContact,
  readMailbox,
  scoreEmail,
  type VerdictOfContact,
} from '#domain/contact/index.ts';
import type { Domain, Email } from '#domain/indicator/index.ts';
import { isActive, isFormer, isThreat, type Report } from '#domain/scoring/index.ts';
import { accusationsIn } from './assess-contact.ts';

export type AssessedEmail = {
  readonly email: Email;
  readonly mailbox: ReturnType<typeof readMailbox>;
  /** The address together with the listings of its domain. */
  readonly address: Assessment;
  readonly named: readonly Listing[];
  readonly domain: Assessment;
  readonly isDomainMalicious: boolean;
  readonly isDisposable: boolean;
  readonly isFreeProvider: boolean;
  readonly posture: Posture;
  readonly scored: EmailScore;
  readonly judged: VerdictOfContact;
};

/** A null field means that no name server was queried or none answered, never "has none". */
export type Posture = {
  readonly mxValid: boolean | null;
  readonly hasSPF: boolean | null;
  readonly hasDMARC: boolean | null;
  readonly hasDKIM: boolean | null;
  readonly grade: DnsFacts['grade'] | null;
};

const UNKNOWN_POSTURE: Posture = { mxValid: null, hasSPF: null, hasDMARC: null, hasDKIM: null, grade: null };
const NO_SUCH_DOMAIN: Posture = { mxValid: false, hasSPF: false, hasDMARC: false, hasDKIM: null, grade: 'F' };

export function assessEmail(assess: Assessor, email: Email, dns: Outcome<DnsFacts>): AssessedEmail {
  const [address, domain] = [assess(email), assess(email.domain)];
  const named = address.listings.filter(
    (listing) => listing.matchType === 'exact' && isActive(listing) && isThreat(listing),
  );
  const isDisposable = isDisposableBy(domain, email.domain);
  const fromDomain = inherited(domain, email.domain);
  const posture = postureOf(dns);
  const scored = scoreEmail({
    address: judgeContact(accusationsIn(named)),
    domain: fromDomain,
    isDisposable,
    posture: posture.grade === null ? null : { grade: posture.grade, canReceive: posture.mxValid !== false },
  });
  return {
    email,
    mailbox: readMailbox(email),
    address,
    named,
    domain,
    isDomainMalicious: fromDomain.isMalicious,
    isDisposable,
    isFreeProvider: isFree(domain, email.domain),
    posture,
    scored,
    judged: contactVerdictOf(scored, {
      listed: listedOf(named, domain, fromDomain),
      contradictions: address.verdict.evidence.contradictorySignals,
    }),
  };
}

/**
 * The score that an address takes over from its domain (decisions 3.3). It is 0 for a shared provider, because a
 * list that names gmail.com by mistake must not make every mailbox there malicious.
 */
function inherited({ verdict }: Assessment, { value }: Domain): EmailFacts['domain'] {
  if (isLargeFreeProvider(value)) return { score: 0, isMalicious: false, isShared: true };
  const { level, score } = verdict.riskScore;
  return { score, isMalicious: verdict.malicious || level === 'high' || level === 'critical' };
}

/** Whether lists have the address or, where no strangers share it, its domain. */
function listedOf(
  named: readonly Listing[],
  { listings, verdict }: Assessment,
  { isShared = false }: EmailFacts['domain'],
): Report['listed'] {
  if (named.length > 0) return 'now';
  if (isShared) return 'never';
  if (verdict.blocklistHits > 0) return 'now';
  return listings.some((listing) => isThreat(listing) && isFormer(listing)) ? 'before' : 'never';
}

/** Whether lists, or our own table of the largest providers, name the domain as one of throwaway mailboxes. */
export const isDisposableDomain = (assess: Assessor, domain: Domain): boolean =>
  isDisposableBy(assess(domain), domain);

const isDisposableBy = (assessment: Assessment, domain: Domain): boolean =>
  hasWord(assessment, 'disposable-email') || isLargeDisposable(...namesOf(domain));

const namesOf = ({ value, registrable }: Domain) => [value, registrable] as const;

/** Whether lists give the domain this label (decisions G7) or a tag of the same text. */
const hasWord = ({ context }: Assessment, word: string): boolean =>
  context.labels.includes(word) || context.tags.includes(word);

/** Whether the domain is a free mail provider. Lists must name it exactly, because a subdomain of one is not one. */
const isFree = ({ listings }: Assessment, domain: Domain): boolean =>
  isLargeFreeProvider(domain.value) ||
  listings.some(
    (listing) =>
      isActive(listing) && listing.matchType === 'exact' && listing.source.category === 'free-email',
  );

function postureOf(dns: Outcome<DnsFacts>): Posture {
  if (dns.state === 'absent') return NO_SUCH_DOMAIN;
  const facts = foundValue(dns);
  if (facts === null) return UNKNOWN_POSTURE;
  const { mxValid, hasSPF, hasDMARC, hasDKIM, grade } = facts;
  return { mxValid, hasSPF, hasDMARC, hasDKIM, grade };
}
