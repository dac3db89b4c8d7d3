import { isoOfSeconds, presentOwn, seenBy } from '#capabilities/check/index.ts';
import type { Assessment } from '#capabilities/judging/index.ts';
import { hostOf } from '#domain/indicator/index.ts';
import type { BulkRow } from './contract.ts';

/**
 * What differs between rows of one verdict: where the value is, when it was seen, and what the caller's organization says.
 * Each part only where known.
 */
export type Origin = Pick<
  BulkRow,
  'asn' | 'asnName' | 'countryCode' | 'firstSeen' | 'lastSeen' | 'organization'
>;

/** Uses local tables alone and agrees with `geo` and `dataTrust` of /check. */
export function originOf(assessment: Assessment): Origin {
  const { subject, book, listings, context } = assessment;
  const origin: { -readonly [K in keyof Origin]: Origin[K] } = {};
  const host = hostOf(subject);
  // A reserved address is in no network and no country.
  if (host?.kind === 'ip' && !context.isReserved) {
    const network = book.networkOf(host);
    if (network !== null) {
      origin.asn = network.asn;
      origin.asnName = network.name;
    }
    const country = book.countryOf(host);
    if (country !== null) origin.countryCode = country;
  }
  const own = presentOwn(assessment);
  if (own !== undefined) origin.organization = own;
  if (listings.length === 0) return origin;
  const { firstS, lastS } = seenBy(listings);
  if (firstS > 0) origin.firstSeen = isoOfSeconds(firstS);
  if (lastS > 0) origin.lastSeen = isoOfSeconds(lastS);
  return origin;
}

/** The origin as JSON text that continues an object, such as `,"asn":64500`; empty where nothing is known. */
export function originText(assessment: Assessment): string {
  const { asn, asnName, countryCode, firstSeen, lastSeen, organization } = originOf(assessment);
  let text = asn === undefined ? '' : `,"asn":${asn},"asnName":${JSON.stringify(asnName)}`;
  // A country code of two letters and the dates need no JSON escape.
  if (countryCode !== undefined) text += `,"countryCode":"${countryCode}"`;
  if (organization !== undefined) text += `,"organization":${JSON.stringify(organization)}`;
  if (firstSeen !== undefined) text += `,"firstSeen":"${firstSeen}"`;
  if (lastSeen !== undefined) text += `,"lastSeen":"${lastSeen}"`;
  return text;
}
