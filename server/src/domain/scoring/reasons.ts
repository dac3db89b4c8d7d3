import { type Case, isActive, isName, isTenantSuffix, isThreat, type ListingFacts } from './facts.ts';
import { type Findings, isTracker } from './findings.ts';
import { isPlatform } from './match-factor.ts';
import { adjustmentSentence, byPoints, goodNameSentence, popularSentence } from './risk.ts';
import { onlyPopularReason, serviceReasons, serviceSentence } from './service-wording.ts';
import type { Voucher } from './vouchers.ts';
import { countOf, listingSentence, searchedOf } from './wording.ts';

/** The most reasons in one answer: as many as fit on a screen. An analyst reads the first three. */
const REASONS_MAX = 12;
const LISTINGS_TOLD_MAX = 6;

/** The reasons for the answer, strongest first; each is a true sentence without the queried value. */
export function reasonsOf(findings: Findings): readonly string[] {
  const { scored, of } = findings;
  const rest = [
    ...allowedReasons(of),
    ...scored.adjustments.map((adjustment) => adjustmentSentence(adjustment, findings)),
    ...standingReasons(findings),
    ...carrierReasons(of),
    ...posedHostReasons(of),
    ...lookalikeReasons(of),
    ...silentReasons(findings),
  ].slice(0, REASONS_MAX - 1);
  const counted = [...scored.counted].sort(byPoints);
  const room = Math.min(LISTINGS_TOLD_MAX, REASONS_MAX - rest.length);
  if (counted.length <= room) return [...counted.map(({ listing }) => listingSentence(listing, of)), ...rest];
  const told = counted.slice(0, room - 1);
  const others = counted.slice(room - 1);
  const points = others.reduce((sum, one) => sum + one.points, 0);
  return [
    ...told.map(({ listing }) => listingSentence(listing, of)),
    `${countOf(others.length, 'more listing')} add${others.length === 1 ? 's' : ''} ${countOf(points, 'point')}.`,
    ...rest,
  ];
}

/** An allowance belongs to one organization, so it takes no points off what the sources say (O14). */
const allowedReasons = ({ isAllowed }: Case): readonly string[] =>
  isAllowed === true ? ['Your organization allows it, which changes no points.'] : [];

const carrierReasons = ({ subject }: Case): readonly string[] =>
  subject.carrier === undefined
    ? []
    : [`The address carries an IPv4 address (${subject.carrier}), and that one is judged.`];

const posedHostReasons = ({ subject: { posedHost } }: Case): readonly string[] =>
  posedHost === undefined
    ? []
    : [
        `The text before the @ (${posedHost}) is only a user name: this address opens the host after it, a common trick of phishing.`,
      ];

const lookalikeReasons = ({ lookalike }: Case): readonly string[] =>
  lookalike ? [`It resembles ${lookalike.of}. ${lookalike.detail}`] : [];

function standingReasons(findings: Findings): readonly string[] {
  const { of, standing, vouchers } = findings;
  switch (standing) {
    case 'reserved':
      return [
        `${of.subject.kind === 'url' ? 'Its host is a' : 'A'} ${isName(of) ? 'name that standards reserve' : 'private or reserved address'}: reputation does not apply to it.`,
      ];
    case 'listed':
      return [...maliciousReason(findings), ...serviceReasons(findings)];
    case 'trace':
      return [
        'No source lists it now.',
        ...vouchedReasons(
          vouchers.filter(({ type }) => !isTold(findings, type)),
          findings,
        ),
        ...(of.context.service?.vouches === false ? serviceReasons(findings) : []),
      ];
    case 'vouched':
      return [...vouchedReasons(vouchers, findings), notListed(of)];
    case 'tracker':
      return [notListed(of), ...serviceReasons(findings)];
    case 'foreseen':
      return [notListed(of)];
    case 'not-loaded':
      return ['No source for this kind is loaded: run feeds import or the worker.'];
    case 'unknown':
      return [
        of.subject.kind === 'hash'
          ? `Not seen by ${searchedOf(of)}: absence of evidence, not a clean verdict.`
          : `Not listed by ${searchedOf(of)}, which is not proof of good.`,
        ...hostReasons(findings),
      ];
  }
}

/** True when an adjustment that took points away already states this as a reason of its own. */
const isTold = ({ scored }: Findings, name: string, sourceId?: string): boolean =>
  scored.adjustments.some(
    (told) => told.name === name || (sourceId !== undefined && told.sourceId === sourceId),
  );

const notListed = (of: Case): string => `Not listed as a threat by ${searchedOf(of)}.`;

/** Feed listings alone never set `malicious` (contract 2.1); at level high or critical the reason explains that. */
function maliciousReason({ of, level, scored }: Findings): readonly string[] {
  if (level !== 'high' && level !== 'critical') return [];
  return scored.engines.detecting.length > 0 || of.corpus.freshScanners === 0
    ? []
    : ['No scanner-type source names it now: lists alone do not set `malicious`.'];
}

function vouchedReasons(vouchers: readonly Voucher[], { of }: Findings): readonly string[] {
  return vouchers
    .filter(({ isGood }) => isGood)
    .map(({ type, sourceName }) => {
      if (type === 'named_service') return `${serviceSentence(of)}.`;
      return `${type === 'popular' ? popularSentence(of) : goodNameSentence(sourceName)}.`;
    });
}

function hostReasons(findings: Findings): readonly string[] {
  const { of, vouchers } = findings;
  if (of.context.service?.vouches === false) return serviceReasons(findings);
  if (isTenantSuffix(of)) return ['Strangers have names below it: judge the name you have.'];
  return of.subject.kind === 'url' && vouchers.some(({ type }) => OF_A_NAME.has(type))
    ? ['Its host has a good name, which says nothing of the page.']
    : onlyPopularReason(of);
}

const OF_A_NAME: ReadonlySet<Voucher['type']> = new Set(['popular', 'known_good', 'named_service']);

function silentReasons(findings: Findings): readonly string[] {
  const { of, scored, standing } = findings;
  const counted = new Set(scored.counted.map(({ listing }) => listing));
  const silent = of.listings.filter((listing) => isThreat(listing) && !counted.has(listing));
  const trackers = of.listings.filter(isTracker);
  const reasons: string[] = [];
  const say = (listings: readonly ListingFacts[], sentence: (names: string) => string): void => {
    if (listings.length > 0) reasons.push(sentence(namesOf(listings)));
  };
  if (standing === 'reserved') {
    say(silent.filter(isActive), (names) => `Listed by ${names}, which is not counted.`);
    return reasons;
  }
  for (const listing of silent.filter(({ isExpired }) => isExpired === true))
    reasons.push(listingSentence(listing, of));
  const also = scored.counted.length > 0 ? 'Also listed by' : 'Listed by';
  const isLed = scored.counted.some(({ opinion }) => opinion.isAggregate);
  const why = isLed ? 'which says less' : 'too long ago or too far from it to count';
  say(
    silent.filter((listing) => listing.source.aggregate && isActive(listing)),
    (names) => `${also} ${names}, made of other lists: nothing is added.`,
  );
  say(
    silent.filter((listing) => !listing.source.aggregate && isActive(listing)),
    (names) => `${also} ${names}, ${why}.`,
  );
  if (isPlatform(of.context) && silent.some(isOfTenant))
    reasons.push('Strangers publish below it: what they are accused of is not counted.');
  say(trackers, (names) => `Listed by ${names} as advertising or tracking, which is no accusation.`);
  say(
    of.listings.filter((listing) => isLabel(listing) && !isTold(findings, '', listing.source.id)),
    (names) => `On ${names}, which says what it is and accuses it of nothing.`,
  );
  return reasons;
}

/** A listing that describes and accuses of nothing: a cloud, a resolver, a new name; a guard has its own sentence. */
const isLabel = (listing: ListingFacts): boolean =>
  isActive(listing) &&
  (listing.source.threatClass === 'infrastructure' || listing.source.threatClass === 'policy');

const isOfTenant = ({ matchType }: ListingFacts): boolean => matchType === 'page' || matchType === 'child';

const NAMES_MAX = 3;
function namesOf(listings: readonly ListingFacts[]): string {
  const names = listings.slice(0, NAMES_MAX).map(({ source }) => source.name);
  const more = listings.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
