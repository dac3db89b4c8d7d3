import { apportion } from '../../scoring/apportion.ts';
import { type Factor, levelOf, type RiskLevel } from '../../scoring/index.ts';
import { type ContactJudgement, type ContactVerdict, MALICIOUS_SCORE } from '../judge-contact.ts';

export const MAIL_GRADES = ['A', 'B', 'C', 'D', 'E', 'F'] as const;
export type MailGrade = (typeof MAIL_GRADES)[number];

/** What is known of an address, by the parts that decisions 3.3 weighs. */
export type EmailFacts = {
  /** By the lists that name the address itself. */
  readonly address: ContactJudgement;
  readonly domain: {
    readonly score: number;
    readonly isMalicious: boolean;
    /** Strangers have mailboxes there: whatever is said of it is said of none of them. */
    readonly isShared?: boolean;
  };
  readonly isDisposable: boolean;
  /** Null: the DNS was not asked, or did not answer. */
  readonly posture: { readonly grade: MailGrade; readonly canReceive: boolean } | null;
};

export type EmailScore = {
  readonly verdict: ContactVerdict;
  readonly score: number;
  readonly level: RiskLevel;
  /** Their contributions add up to the score. */
  readonly factors: readonly Factor[];
};

/** Decisions 3.3. A part that is not known is left out, and the others weigh as much more. */
const WEIGHTS = { address: 0.4, domain: 0.3, disposable: 0.15, posture: 0.15 } as const;
type Part = keyof typeof WEIGHTS;
const NAMES: Readonly<Record<Part, string>> = {
  address: 'Address listings',
  domain: 'Domain reputation',
  disposable: 'Disposable domain',
  posture: 'Mail posture',
};
/** Points of each grade: a good posture is worth nothing, since crime has it too. */
const GRADE_SCORES: Readonly<Record<MailGrade, number>> = { A: 0, B: 10, C: 25, D: 45, E: 65, F: 85 };
/** Nobody can answer to such an address. */
const CANNOT_RECEIVE = 100;
/** What is said of a domain is said of its addresses at nine tenths (scoring 4), and never makes them malicious by itself. */
const FROM_DOMAIN = 0.9;
const FROM_DOMAIN_MAX = 59;
/** From medium on (O4). */
const SUSPICIOUS = 35;
/** Below low (O4): nothing speaks against it, which is not the same as something speaking for it. */
const NOTHING_BELOW = 10;

export function scoreEmail(facts: EmailFacts): EmailScore {
  const parts = partsOf(facts);
  const weightSum = parts.reduce((sum, { weight }) => sum + weight, 0);
  const weighted = Math.round(parts.reduce((sum, { weight, score }) => sum + weight * score, 0) / weightSum);
  const floor = floorOf(facts);
  const isShared = facts.domain.isShared === true;
  const score = Math.max(weighted, floor.score);
  return {
    verdict: verdictOf(facts, score),
    score,
    level: score < NOTHING_BELOW ? 'inconclusive' : levelOf(score),
    factors: factorsOf(parts, {
      weightSum,
      weighted,
      surplus: score - weighted,
      decidedBy: floor.part,
      isShared,
    }),
  };
}

type Weighed = { readonly part: Part; readonly weight: number; readonly score: number };

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

/** What the rule for contacts demands, whatever the other parts say: a listing is not averaged away. */
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
  /** What the rule adds to the average, told by the part that demanded it. */
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
