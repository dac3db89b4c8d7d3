import { apportion } from '../../scoring/apportion.ts';
import { type Factor, levelOf, type RiskLevel } from '../../scoring/index.ts';
import { type ContactJudgement, type ContactVerdict, MALICIOUS_SCORE } from '../judge-contact.ts';

export const MAIL_GRADES = ['A', 'B', 'C', 'D', 'E', 'F'] as const;
export type MailGrade = (typeof MAIL_GRADES)[number];

/** The facts about an address, grouped by the factors that decisions 3.3 weighs. */
export type EmailFacts = {
  readonly address: ContactJudgement;
  readonly domain: {
    readonly score: number;
    readonly isMalicious: boolean;
    /** Unrelated people have mailboxes on this domain, so listings of the domain say nothing about one address. */
    readonly isShared?: boolean;
  };
  readonly isDisposable: boolean;
  readonly posture: { readonly grade: MailGrade; readonly canReceive: boolean } | null;
};

export type EmailScore = {
  readonly verdict: ContactVerdict;
  readonly score: number;
  readonly level: RiskLevel;
  readonly factors: readonly Factor[];
};

/** The weights of decisions 3.3. When a factor is unknown it is left out and the other weights are scaled up. */
const WEIGHTS = { address: 0.4, domain: 0.3, disposable: 0.15, posture: 0.15 } as const;
type Part = keyof typeof WEIGHTS;
const NAMES: Readonly<Record<Part, string>> = {
  address: 'Address listings',
  domain: 'Domain reputation',
  disposable: 'Disposable domain',
  posture: 'Mail posture',
};
/** Points for each grade. A good posture adds nothing in favour, since criminals configure mail well too. */
const GRADE_SCORES: Readonly<Record<MailGrade, number>> = { A: 0, B: 10, C: 25, D: 45, E: 65, F: 85 };
const CANNOT_RECEIVE = 100;
/** An address inherits nine tenths of its domain's score (scoring 4); this alone never makes it malicious. */
const FROM_DOMAIN = 0.9;
const FROM_DOMAIN_MAX = 59;
/** Suspicious from risk level medium on (O4). */
const SUSPICIOUS = 35;
/** Below risk level low (O4) the verdict is inconclusive: nothing speaks against the address, and nothing for it. */
const NOTHING_BELOW = 10;

/**
 * The level comes from what every route knows: the listings and the kind of the domain. The posture is known only where a
 * name server answered, so it moves the score within the level: one address has one verdict on every route (O57).
 */
export function scoreEmail(facts: EmailFacts): EmailScore {
  const floor = floorOf(facts);
  const known = raisedOf(averageOf(partsOf({ ...facts, posture: null })), floor.score, facts);
  const level = levelOfAddress(known);
  const parts = partsOf(facts);
  const weighted = averageOf(parts);
  const score = facts.posture === null ? known : withinLevel(raisedOf(weighted, floor.score, facts), level);
  const shared = Math.min(weighted, score);
  return {
    verdict: verdictOf(facts, known),
    score,
    level,
    factors: factorsOf(parts, {
      weightSum: weightOf(parts),
      weighted: shared,
      surplus: score - shared,
      decidedBy: floor.part,
      isShared: facts.domain.isShared === true,
    }),
  };
}

type Weighed = { readonly part: Part; readonly weight: number; readonly score: number };

const weightOf = (parts: readonly Weighed[]): number => parts.reduce((sum, { weight }) => sum + weight, 0);

const averageOf = (parts: readonly Weighed[]): number =>
  Math.round(parts.reduce((sum, { weight, score }) => sum + weight * score, 0) / weightOf(parts));

/** High means malicious (O49): oddities of the domain alone never add up to that. */
function raisedOf(average: number, floor: number, facts: EmailFacts): number {
  const raised = Math.max(average, floor);
  return verdictOf(facts, raised) === 'malicious' ? raised : Math.min(raised, FROM_DOMAIN_MAX);
}

const levelOfAddress = (score: number): RiskLevel =>
  score < NOTHING_BELOW ? 'inconclusive' : levelOf(score);

/** The score nearest to the given one that has this level. */
function withinLevel(score: number, level: RiskLevel): number {
  let nearest = score;
  const rank = RANKS.indexOf(level);
  while (RANKS.indexOf(levelOfAddress(nearest)) > rank) nearest -= 1;
  while (RANKS.indexOf(levelOfAddress(nearest)) < rank) nearest += 1;
  return nearest;
}
const RANKS: readonly RiskLevel[] = ['inconclusive', 'low', 'medium', 'high', 'critical'];

function partsOf({ address, domain, isDisposable, posture }: EmailFacts): readonly Weighed[] {
  const weighed = (part: Part, score: number): Weighed => ({ part, weight: WEIGHTS[part], score });
  const known = [
    weighed('address', address.score),
    weighed('domain', domain.score),
    weighed('disposable', isDisposable ? 100 : 0),
  ];
  if (posture === null) return known;
  return [...known, weighed('posture', posture.canReceive ? GRADE_SCORES[posture.grade] : CANNOT_RECEIVE)];
}

/** The lowest score that the contact rule allows, so that a listing is not averaged away by the other factors. */
function floorOf({ address, domain }: EmailFacts): { readonly part: Part; readonly score: number } {
  const ofDomain = domain.isMalicious
    ? MALICIOUS_SCORE
    : Math.min(FROM_DOMAIN_MAX, Math.round(FROM_DOMAIN * domain.score));
  return address.score >= ofDomain
    ? { part: 'address', score: address.score }
    : { part: 'domain', score: ofDomain };
}

function verdictOf({ address, domain }: EmailFacts, score: number): ContactVerdict {
  if (address.verdict === 'malicious' || domain.isMalicious) return 'malicious';
  return address.verdict === 'suspicious' || score >= SUSPICIOUS ? 'suspicious' : 'unknown';
}

type Shares = {
  readonly weightSum: number;
  readonly weighted: number;
  /** The points that the contact rule adds to the average, attributed to the factor that caused them. */
  readonly surplus: number;
  readonly decidedBy: Part;
  readonly isShared: boolean;
};

function factorsOf(
  parts: readonly Weighed[],
  { weightSum, weighted, surplus, decidedBy, isShared }: Shares,
): Factor[] {
  const points = apportion(
    weighted,
    parts.map(({ part, weight, score }) => ({ name: part, share: weight * score })),
  );
  return parts.map(({ part, weight, score }) => ({
    name: NAMES[part],
    weight: Math.round((1_000 * weight) / weightSum) / 1_000,
    score,
    contribution: (points.get(part) ?? 0) + (part === decidedBy ? surplus : 0),
    description: part === 'domain' && isShared ? SHARED : describe(part, score),
  }));
}

const SHARED = 'Strangers share its domain, so nothing that lists say of that is held against the address.';

function describe(part: Part, score: number): string {
  switch (part) {
    case 'address':
      return score > 0 ? 'Lists name the address itself.' : 'No list names the address itself.';
    case 'domain':
      return score > 0
        ? `Its domain scores ${score} of 100 in a check of its own.`
        : 'No list accuses its domain.';
    case 'disposable':
      return score > 0
        ? 'The domain hands out throw-away mailboxes.'
        : 'The domain is on no list of throw-away mailboxes.';
    case 'posture':
      return score === CANNOT_RECEIVE
        ? 'The domain cannot receive mail.'
        : `Points for what the domain lacks of SPF, DMARC and DKIM: ${score} of 100.`;
  }
}
