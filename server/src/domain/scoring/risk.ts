import { rankedCategories } from './classification.ts';
import { type Case, isDriverList, isName } from './facts.ts';
import { type Findings, isSignal } from './findings.ts';
import { isAccusing, type Rung } from './ladder.ts';
import { MODEL } from './model.ts';
import { precisionSentence } from './precision-wording.ts';
import { round3 } from './round.ts';
import type { Adjustment, CountedListing } from './score-case.ts';
import { serviceSentence } from './service-wording.ts';
import { signalSentence } from './signals.ts';
import type { Factor, Verdict } from './verdict.ts';
import { countOf, listedBy, listingSentence, searchedOf, wordsOf } from './wording.ts';

/** Explains the score by its parts and one sentence (G2, O4). The contributions add up to the score exactly. */
export function riskOf(findings: Findings, { word }: Rung): Verdict['riskScore'] {
  const { of, scored, level } = findings;
  const listed = [...scored.counted]
    .sort(byPoints)
    .map((counted): Factor => factorOf(counted, sentenceOf(counted, of)));
  const factors = [...listed, ...scored.adjustments.map((one) => adjustmentFactor(one, findings))];
  return { score: scored.score, level, word, summary: summaryOf(findings, word), factors };
}

export const byPoints = (a: CountedListing, b: CountedListing): number =>
  b.points - a.points || b.weight.nats - a.weight.nats || (a.opinion.sourceId < b.opinion.sourceId ? -1 : 1);

const echoSentence = ({ isEchoing }: CountedListing['opinion']): string =>
  isEchoing
    ? 'It publishes such entries after another list that is counted already, so it adds a quarter.'
    : 'Another list of its operator is counted already, so it adds a quarter.';

/** What the source says, and of a name why it counts as it does. */
const sentenceOf = ({ listing, opinion }: CountedListing, of: Case): string =>
  [listingSentence(listing, of), opinion.name === undefined ? null : precisionSentence(listing, of)]
    .filter((sentence) => sentence !== null)
    .join(' ');

const factorOf = ({ opinion, weight, points, isEcho }: CountedListing, sentence: string): Factor => ({
  name: opinion.sourceId,
  weight: round3(weight.strength),
  score: Math.round(100 * weight.strength),
  contribution: points,
  description: isEcho ? `${sentence} ${echoSentence(opinion)}` : sentence,
});

const adjustmentFactor = (adjustment: Adjustment, findings: Findings): Factor => ({
  name: adjustment.name,
  weight: 0,
  score: 0,
  contribution: adjustment.contribution,
  description: adjustmentSentence(adjustment, findings),
});

export function adjustmentSentence(
  { name, contribution, sourceId, guard }: Adjustment,
  { of }: Findings,
): string {
  const list =
    of.listings.find(({ source }) => source.id === sourceId)?.source.name ?? sourceId ?? 'The context';
  const points = countOf(Math.abs(contribution), 'point');
  switch (name) {
    case 'named_service':
      return `${serviceSentence(of)}, which takes ${points} away.`;
    case 'named_service_limit':
      return `${serviceSentence(of)}, and no source of grade A accuses the value itself: never above low, which takes ${points} away.`;
    case 'service_range':
      return `${list} knows it as part of a service that many share, which takes ${points} away.`;
    case 'shared_egress':
      return `${list} knows it as an exit that many people share, which takes ${points} away.`;
    case 'anonymity_network':
      return `${list} knows it as an exit of an anonymity network or VPN, where no single user is accused, which takes ${points} away.`;
    case 'known_good':
      return `${goodNameSentence(list)}, which takes ${points} away.`;
    case 'popular':
      return `${guard?.scope === 'parent' ? `Its parent domain is among the ${topOf(guard.rankBucket)} most visited sites` : popularSentence(of)}, which takes ${points} away.`;
    case 'research_scanner':
      return `${list} knows it as a research scanner, whose scanning never counts above low, which takes ${points} away.`;
    case 'grade_a_floor':
      return `A source of grade A accuses it, so that a service range never brings it below low: ${points} back.`;
    case 'popular_uncorroborated':
      return `One origin alone accuses a site among the ${topOf(MODEL.popularUncorroborated.rankMax)} most visited and no source of grade A does: never above low, which takes ${points} away.`;
    case 'service_uncorroborated':
      return `One origin alone accuses ${of.context.service?.vouches === true ? 'a known service' : 'an address that many customers of a service share'} and no source of grade A does, which takes ${points} away.`;
    case 'verified_scanner':
      return `A verified research scanner never counts above medium, which takes ${points} away.`;
    case 'platform_root':
      return `A platform on which strangers publish: judge the name below it, which takes ${points} away.`;
    case 'test_file':
      return `A file that is made to be detected is never critical, which takes ${points} away.`;
    case 'named_itself':
      return `A source of grade A or B still lists it, however old its entry is: never below low, which adds ${points}.`;
    case 'reported_now':
      return `A list that takes entries back names it now: never below low, which adds ${points}.`;
    case 'verified_c2':
      return `Its publisher verified a command server at this address within seven days: never below critical, which adds ${points}.`;
    case 'scanner_floor':
      return `A scanner names it now: never below high, which adds ${points}.`;
    case 'only_below':
      return `Only names below it are listed: never above low, which takes ${points} away.`;
    case 'undated':
      return `Only entries without a date accuse it: never above low, which takes ${points} away.`;
    case 'asn_listed':
      return `${of.asn?.sourceName ?? list} names its network as one that serves crime, which adds ${points}.`;
    case 'neighbourhood':
    case 'name':
    case 'imitates':
    case 'tenant':
    case 'brand':
      return signalSentence(name, of, points);
  }
}

const topOf = (bucket: number | null): string => (bucket ?? 0).toLocaleString('en-US');

/** States the rank, for a URL that of its host. Without a full stop, because more text may follow. */
export const popularSentence = ({ context, subject }: Case): string =>
  `${subject.kind === 'url' ? 'Its host' : 'It'} is among the ${topOf(context.rankBucket)} most visited sites`;

export const goodNameSentence = (list: string): string => `${list} knows it as good`;

export function summaryOf(findings: Findings, word: string): string {
  const { of, scored, level, standing, active } = findings;
  switch (standing) {
    case 'reserved':
      return `A ${isName(of) ? 'name that standards reserve' : 'private or reserved address'}: reputation does not apply to it.`;
    case 'vouched':
      return 'Not listed as a threat, and known to be good.';
    case 'tracker':
      return 'Listed as advertising or tracking only, which is no threat.';
    case 'not-loaded':
      return 'Nothing can be said: no source for this kind is loaded.';
    case 'unknown':
      return of.subject.kind === 'hash'
        ? 'No source has seen this file. That is absence of evidence, not a clean verdict.'
        : `Not listed by ${searchedOf(of)}, which is not proof of good.`;
    case 'foreseen':
      return `No source lists it; ${countOf(scored.score, 'point')} of 100 ${scored.score === 1 ? 'comes' : 'come'} from signals alone (${isAccusing(level) ? word : 'too little to accuse it'}).`;
    case 'trace': {
      const rest = scored.adjustments.some(isSignal)
        ? ', of neighbours and from signals'
        : ' and of neighbours';
      return `Not listed now; ${countOf(scored.score, 'point')} of 100 ${scored.score === 1 ? 'is' : 'are'} left of former listings${rest}.`;
    }
    case 'listed': {
      const [strongest] = rankedCategories(findings);
      const isDriver = active.every(({ source }) => isDriverList(source));
      const mostly =
        strongest === undefined || isDriver ? '' : `, foremost for ${wordsOf(strongest.category)}`;
      // A listed subject is never described as safe (trap 16a).
      const so = isAccusing(level) ? word : 'too little to accuse it';
      return `${listedBy(active, of.subject)}${mostly}: ${scored.score} of 100 points (${so}).`;
    }
  }
}
