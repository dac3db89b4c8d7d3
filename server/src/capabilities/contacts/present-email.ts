import { type EnrichmentLevel, presentInfrastructure } from '#capabilities/check/index.ts';
import { type DnsFacts, foundValue, type Outcome, type Whois } from '#capabilities/providers/index.ts';
import { isAccusing, isActive, isThreat } from '#domain/scoring/index.ts';
import { plural } from '#domain/text/plural.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { AssessedEmail } from './assess-email.ts';
import type { EmailReport, EmailResult } from './contract.ts';
import { presentEvidence, presentTrust, riskOf } from './present-contact.ts';

/** A younger registration is called new, as in the mail scan (contract 4.9 rule 5). */
const NEW_DAYS = 45;
/** Limit of names in a sentence; `listings.sources` has them all. */
const NAMED_MAX = 5;

type Base = Omit<EmailResult, 'apiVersion'>;

export const presentEmail = (assessed: AssessedEmail, level: EnrichmentLevel): EmailResult => ({
  ...baseOf(assessed, level),
  apiVersion: 'v1',
});

function baseOf(assessed: AssessedEmail, level: EnrichmentLevel): Base {
  const { email, mailbox, named, domain, scored, judged, posture } = assessed;
  return {
    email: email.value,
    domain: email.domain.value,
    localPart: mailbox.localPart,
    riskScore: {
      ...riskOf(judged, summaryOf(assessed)),
      factors: scored.factors as Base['riskScore']['factors'],
    },
    listings: {
      listed: named.length > 0,
      count: named.length,
      sources: named.map(({ source }) => source.name),
    },
    domainReputation: {
      threatLevel: threatLevelOf(assessed),
      sources: domain.verdict.blocklistHits,
      disposable: assessed.isDisposable,
    },
    validation: { syntaxValid: true, mxValid: posture.mxValid },
    mailSecurity: {
      hasSPF: posture.hasSPF,
      hasDMARC: posture.hasDMARC,
      hasDKIM: posture.hasDKIM,
      grade: posture.grade,
    },
    enrichmentLevel: level,
  };
}

/** Null for a score below `low` (O4), unless a list names the domain: then it is at least `low`. */
function threatLevelOf({ domain }: AssessedEmail): Base['domainReputation']['threatLevel'] {
  const { blocklistHits, riskScore } = domain.verdict;
  if (isAccusing(riskScore.level)) return riskScore.level;
  return blocklistHits > 0 ? 'low' : null;
}

/** Results of the live lookups, and the brand that the domain imitates. */
export type EmailContext = {
  readonly dns: Outcome<DnsFacts>;
  readonly whois: Outcome<Whois>;
  readonly lookalike: EmailReport['lookalike'];
};

export function presentReport(
  assessed: AssessedEmail,
  { dns, whois, lookalike }: EmailContext,
  level: EnrichmentLevel,
): EmailReport {
  const { address, judged, named, domain } = assessed;
  const domainAge = ageOf(foundValue(whois), address.nowMs);
  const reasons = reasonsOf(assessed, lookalike, domainAge);
  const isFound = named.length > 0 || domain.verdict.blocklistHits > 0;
  return {
    ...baseOf(assessed, level),
    email: mailboxOf(assessed),
    address: assessed.email.value,
    verdict: judged.verdict,
    malicious: judged.malicious,
    recommendedAction: judged.action,
    lookupStatus: isFound ? 'found' : 'unknown',
    reasons,
    lookalike,
    domainAge,
    breaches: null,
    dns: dnsOf(dns),
    dataTrust: presentTrust({ ...address, live: liveOf(dns, whois) }),
    evidence: presentEvidence(judged, reasons, address.verdict, address.nowMs),
    apiVersion: 'v2',
  };
}

function mailboxOf(assessed: AssessedEmail): EmailReport['email'] {
  const { email, mailbox, domain, posture } = assessed;
  return {
    address: email.value,
    localPart: mailbox.localPart,
    domain: email.domain.value,
    disposable: assessed.isDisposable,
    freeProvider: assessed.isFreeProvider,
    roleAccount: mailbox.isRoleAccount,
    subaddress: mailbox.subaddress,
    mx: posture.mxValid,
    domainReputation: {
      lookupStatus: domain.verdict.blocklistHits > 0 ? 'found' : 'unknown',
      malicious: domain.verdict.malicious,
      blocklistHits: domain.verdict.blocklistHits,
      sources: accusers(assessed),
      infrastructure: presentInfrastructure(domain)?.attributes ?? [],
    },
  };
}

const accusers = ({ domain }: AssessedEmail): string[] =>
  domain.listings
    .filter((listing) => isThreat(listing) && isActive(listing))
    .map(({ source }) => source.name);

function dnsOf(dns: Outcome<DnsFacts>): EmailReport['dns'] {
  if (dns.state === 'absent') return { mx: [], spf: null, dmarc: null, dmarcPolicy: null };
  const facts = foundValue(dns);
  if (facts === null) return null;
  const { mx, spf, dmarc, dmarcPolicy } = facts;
  return { mx: mx.map(({ exchange }) => exchange), spf, dmarc, dmarcPolicy };
}

function ageOf(whois: Whois | null, nowMs: number): EmailReport['domainAge'] {
  const createdMs = Date.parse(whois?.createdDate ?? '');
  if (whois === null || whois.createdDate === null || Number.isNaN(createdMs)) return null;
  return { createdDate: whois.createdDate, days: Math.max(0, Math.floor((nowMs - createdMs) / DAY_MS)) };
}

const liveOf = (dns: Outcome<DnsFacts>, whois: Outcome<Whois>) => ({
  ...(dns.state !== 'missing' && { dns: dns.fetchedAtMs }),
  ...(whois.state === 'found' && { whois: whois.fetchedAtMs }),
});

const UNKNOWN = 'No list names this address or accuses its domain; that is no proof that it is harmless.';

function summaryOf(assessed: AssessedEmail): string {
  const { verdict } = assessed.scored;
  const [strongest] = accusationsOf(assessed);
  if (strongest !== undefined) return strongest;
  if (verdict === 'suspicious') return 'No list names it, but several things about its domain are unusual.';
  const [remark] = remarksOf(assessed);
  return remark === undefined ? UNKNOWN : `${UNKNOWN} ${remark}`;
}

function reasonsOf(
  assessed: AssessedEmail,
  lookalike: EmailReport['lookalike'],
  age: EmailReport['domainAge'],
): string[] {
  const accusations = accusationsOf(assessed);
  const reasons = accusations.length > 0 ? [...accusations] : [UNKNOWN];
  if (lookalike !== null)
    reasons.push(`Its domain can be taken for ${lookalike.brand} (${lookalike.technique}).`);
  if (age !== null && age.days <= NEW_DAYS)
    reasons.push(`Its domain was registered ${plural(age.days, 'day')} ago.`);
  return [...reasons, ...remarksOf(assessed)];
}

/** Sentences about listings, strongest first. */
function accusationsOf({ named, isDomainMalicious, domain }: AssessedEmail): readonly string[] {
  const sentences: string[] = [];
  if (named.length > 0) {
    const lists = named.slice(0, NAMED_MAX).map(({ source }) => source.name);
    const more = named.length > NAMED_MAX ? ' and others' : '';
    sentences.push(`The address itself is on ${countOf(named.length)}: ${lists.join(', ')}${more}.`);
  }
  const { word, summary } = domain.verdict.riskScore;
  if (isDomainMalicious) sentences.push(`Its domain is called ${word}. ${summary}`);
  else if (domain.verdict.blocklistHits > 0)
    sentences.push(`Its domain is on ${countOf(domain.verdict.blocklistHits)}.`);
  return sentences;
}

const countOf = (lists: number): string => (lists === 1 ? '1 threat list' : `${lists} threat lists`);

function remarksOf({ isDisposable, posture, mailbox }: AssessedEmail): readonly string[] {
  const remarks: string[] = [];
  if (isDisposable) remarks.push('Its domain hands out throw-away mailboxes.');
  if (posture.mxValid === false) remarks.push('Its domain cannot receive mail.');
  if (posture.hasSPF === false || posture.hasDMARC === false)
    remarks.push('Its domain does not fully protect itself against forged senders.');
  if (mailbox.isRoleAccount) remarks.push('It stands for a function, not for a person.');
  return remarks;
}
