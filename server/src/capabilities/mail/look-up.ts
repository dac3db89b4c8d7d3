import type { Assessment, Assessor } from '#capabilities/judging/index.ts';
import { isLargeDisposable, isLargeFreeProvider } from '#domain/contact/index.ts';
import {
  type Domain,
  type Email,
  hostOf,
  type Indicator,
  type Ip,
  parseIndicator,
} from '#domain/indicator/index.ts';
import {
  type AttachmentFact,
  type Digests,
  type ItemWord,
  isMailPlatform,
  isTenantSender,
  type NameWord,
  organizationOf,
} from '#domain/mail/index.ts';
import { hourOf, isActive, isThreat, weightOfListing } from '#domain/scoring/index.ts';

const NAMES_MAX = 10;
/** Up to this rank a domain counts among the most visited (contract 4.9 rule 2). */
const ESTABLISHED_RANK = 100_000;

/** What the lists say of one value of a message, by the same assessment as a check of it. */
export function wordOf(assessment: Assessment): ItemWord {
  const { listings, verdict, subject, context, corpus, nowMs, own } = assessment;
  const host = hostOf(subject);
  const of = {
    subject: {
      kind: subject.kind === 'cidr' ? ('ip' as const) : subject.kind,
      value: subject.value,
      ...(host?.kind === 'ip' && { ipVersion: host.version }),
    },
    listings,
    context,
    asn: null,
    corpus,
    nowH: hourOf(Math.floor(nowMs / 1_000)),
  };
  const accusing = listings.filter((listing) => isThreat(listing) && isActive(listing));
  const family = accusing.find((listing) => listing.family !== undefined)?.family ?? null;
  return {
    weight: accusing.reduce((most, listing) => Math.max(most, weightOfListing(listing, of)), 0),
    level: verdict.riskScore.level,
    sources: accusing.length,
    sourceNames: accusing.slice(0, NAMES_MAX).map(({ source }) => source.name),
    family,
    isKnownGood: context.guards.some(({ guard, scope }) => guard === 'known-good' && scope === 'itself'),
    isAllowed: own?.match?.disposition === 'allow',
  };
}

/** The domain of that name; null for a text that is none. */
export function domainOf(name: string): Domain | null {
  const parsed = parseIndicator(name);
  return parsed.ok && parsed.indicator.kind === 'domain' ? parsed.indicator : null;
}

const hasLabel = ({ context }: Assessment, word: string): boolean =>
  context.labels.includes(word) || context.tags.includes(word);

const isFreeBy = ({ listings }: Assessment, { value }: Domain): boolean =>
  isLargeFreeProvider(value) ||
  listings.some(
    (listing) =>
      isActive(listing) && listing.matchType === 'exact' && listing.source.category === 'free-email',
  );

/** Facts of a host that do not depend on which of its pages or addresses the message names. */
function nameFacts(assess: Assessor, host: Domain | Ip): Omit<NameWord, keyof ItemWord> {
  if (host.kind === 'ip') return NO_NAME;
  const own = assess(host);
  const organization = domainOf(organizationOf(host)) ?? host;
  const above = organization.value === host.value ? own : assess(organization);
  const isFree = isFreeBy(own, host) || isFreeBy(above, organization);
  const isPlatform =
    own.context.platform !== null ||
    isTenantSender(host.value) ||
    own.context.guards.some(({ guard }) => guard === 'platform');
  const isShared = isPlatform || above.context.platform !== null || isMailPlatform(host.value);
  const rank = above.context.rankBucket;
  const isAccused = above.listings.some((listing) => isThreat(listing) && isActive(listing));
  return {
    isEstablished: rank !== null && rank <= ESTABLISHED_RANK && !isShared && !isFree && !isAccused,
    isRanked: (rank !== null || own.context.rankBucket !== null) && !isPlatform && !isFree,
    isPlatform,
    isFree,
    isDisposable: hasLabel(own, 'disposable-email') || isLargeDisposable(host.value, host.registrable),
    isShortener: hasLabel(own, 'url-shortener'),
    imitates: own.lookalike,
  };
}

const NO_NAME: Omit<NameWord, keyof ItemWord> = {
  isEstablished: false,
  isRanked: false,
  isPlatform: false,
  isFree: false,
  isDisposable: false,
  isShortener: false,
  imitates: null,
};

/** The stronger of two results: a link is judged by page and host, a sender by address and domain. */
const stronger = (one: ItemWord, other: ItemWord): ItemWord =>
  other.weight > one.weight || (one.sources === 0 && other.sources > 0) ? other : one;

export function lookUpLink(assess: Assessor, target: Indicator | null, host: Domain | Ip): NameWord {
  const ofHost = wordOf(assess(host));
  const word = target === null ? ofHost : stronger(wordOf(assess(target)), ofHost);
  return { ...word, ...nameFacts(assess, host) };
}

/** A listing of a free mail provider counts for no mailbox there, only one of the address (decisions 3.3). */
export function lookUpAddress(assess: Assessor, email: Email): NameWord {
  const facts = nameFacts(assess, email.domain);
  const ofAddress = assess(email);
  const named = ofAddress.listings.some((listing) => listing.matchType === 'exact' && isThreat(listing));
  const ofDomain = wordOf(assess(email.domain));
  if (facts.isFree) return { ...(named ? wordOf(ofAddress) : NO_WORD), ...facts };
  return { ...(named ? stronger(wordOf(ofAddress), ofDomain) : ofDomain), ...facts };
}

const NO_WORD: ItemWord = {
  weight: 0,
  level: 'inconclusive',
  sources: 0,
  sourceNames: [],
  family: null,
  isKnownGood: false,
  isAllowed: false,
};

const DIGESTS = ['sha256', 'sha1', 'md5'] as const satisfies readonly (keyof Digests)[];

/** A file under any of its digests; null where nothing was looked up. */
export function lookUpFile(assess: Assessor, { digests, isInlinePicture }: AttachmentFact): ItemWord | null {
  if (isInlinePicture) return null;
  let found: ItemWord | null = null;
  for (const name of DIGESTS) {
    const parsed = digests[name] === undefined ? null : parseIndicator(digests[name]);
    if (!parsed?.ok || parsed.indicator.kind !== 'hash') continue;
    const word = wordOf(assess(parsed.indicator));
    found =
      found === null
        ? word
        : { ...stronger(found, word), isKnownGood: found.isKnownGood || word.isKnownGood };
  }
  return found;
}
