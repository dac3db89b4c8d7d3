import type { ReadablePhone } from '#domain/contact/index.ts';
import { type Phone, parsePhone } from '#domain/indicator/index.ts';
import {
  type AssessedContact,
  accusationsIn,
  type ContactAssessor,
  type Spellings,
} from './assess-contact.ts';
import type { PhoneResult } from './contract.ts';
import type { PhoneQuery } from './contract-query.ts';
import {
  categoriesOf,
  factorsOf,
  presentEvidence,
  presentSources,
  presentTrust,
  riskOf,
  summaryOf,
} from './present-contact.ts';

/** A number is judged by lists alone (decisions 3.3). */
export function checkPhone(
  assess: ContactAssessor,
  { input, reading }: PhoneQuery,
  nowMs?: number,
): PhoneResult {
  const contact = assess(spellingsOf(input, reading), nowMs);
  const { listings, judged, verdict } = contact;
  const hits = accusationsIn(listings).length;
  const summary =
    reading.state === 'unresolved' ? reading.reason : summaryOf('number', listings, judged.verdict);
  return {
    ...placeOf(input, reading),
    lookupStatus: hits > 0 ? 'found' : 'unknown',
    verdict: judged.verdict,
    malicious: judged.malicious,
    recommendedAction: judged.action,
    blocklistHits: hits,
    categories: categoriesOf(listings),
    sources: presentSources(listings),
    riskScore: riskOf(judged, summary),
    factors: factorsOf(listings, judged.score),
    dataTrust: presentTrust({ ...contact, live: {} }),
    evidence: presentEvidence(judged, reasonsOf(contact, reading, summary), verdict, contact.nowMs),
    apiVersion: 'v2',
  };
}

/** Stands for a number without a country. No list holds it, but looking it up gives the coverage of the lists. */
const NOWHERE: Phone = { kind: 'phone', value: '+0' };

/**
 * Lists hold numbers as they were shown, and numbering plans drop and add digits, so the digits as sent are
 * looked up too.
 */
function spellingsOf(input: string, reading: ReadablePhone): Spellings {
  if (reading.state === 'unresolved') return [NOWHERE];
  const asSent = parsePhone(input);
  if (!asSent.ok || asSent.indicator.value === reading.phone.value) return [reading.phone];
  return [reading.phone, asSent.indicator];
}

type Place = Pick<
  PhoneResult,
  'phone' | 'input' | 'countryCallingCode' | 'countryCode' | 'resolvedWith' | 'lineType'
>;

function placeOf(input: string, reading: ReadablePhone): Place {
  if (reading.state === 'unresolved')
    return {
      phone: null,
      input,
      countryCallingCode: null,
      countryCode: null,
      resolvedWith: null,
      lineType: 'unknown',
    };
  const { phone, countryCallingCode, countryCode, resolvedWith, lineType } = reading;
  return { phone: phone.value, input, countryCallingCode, countryCode, resolvedWith, lineType };
}

/** How many lists a sentence names at most; `sources` has all of them. */
const NAMED_MAX = 20;
const UNASSIGNED = 'No operator is known to have been assigned a number like this one, so it may be made up.';

function reasonsOf(
  { listings }: AssessedContact,
  reading: ReadablePhone,
  summary: string,
): readonly string[] {
  const named = listings
    .slice(0, NAMED_MAX)
    .map(({ source }) => `${source.name} lists it (${source.category}).`);
  const reasons = named.length > 0 ? [summary, ...named] : [summary];
  return reading.state === 'resolved' && !reading.isAssigned ? [...reasons, UNASSIGNED] : reasons;
}
