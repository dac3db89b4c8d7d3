import { levelOf, type RiskLevel } from '../scoring/index.ts';

export type ContactListing = {
  readonly sourceId: string;
  /** 0 to 100: the lower of the source's reliability and the confidence that the source states. */
  readonly confidence: number;
  /** Lists with the same operator share a lineage and count as one source. */
  readonly lineage: string;
};

export const CONTACT_VERDICTS = ['malicious', 'suspicious', 'unknown'] as const;
/** There is no `clean`: a contact that no source lists is unknown. */
export type ContactVerdict = (typeof CONTACT_VERDICTS)[number];

export type ContactJudgement = {
  readonly verdict: ContactVerdict;
  readonly score: number;
  readonly level: RiskLevel;
};

/** The listing rule for contacts (decisions 3.3). */
const RULE = {
  /** One source of at least this confidence makes the contact malicious. */
  sure: 70,
  /** Two sources of at least this confidence confirm each other; weaker ones often copy from each other. */
  confirms: 60,
  single: 50,
  several: 55,
  /** The score of an address whose domain is malicious, and the lowest score of any malicious contact. */
  malicious: 75,
  /** Below 100, because lists can be wrong. */
  max: 97,
} as const;

export const MALICIOUS_SCORE = RULE.malicious;

const UNKNOWN: ContactJudgement = { verdict: 'unknown', score: 0, level: 'inconclusive' };
const judged = (verdict: ContactVerdict, score: number): ContactJudgement => ({
  verdict,
  score,
  level: levelOf(score),
});

export function judgeContact(listings: readonly ContactListing[]): ContactJudgement {
  const voices = strongestByLineage(listings);
  if (voices.length === 0) return UNKNOWN;
  const confirming = voices.filter((confidence) => confidence >= RULE.confirms);
  if (confirming.some((confidence) => confidence >= RULE.sure) || confirming.length > 1)
    return judged('malicious', combined(confirming));
  return judged('suspicious', voices.length > 1 ? RULE.several : RULE.single);
}

function strongestByLineage(listings: readonly ContactListing[]): readonly number[] {
  const voices = new Map<string, number>();
  for (const { lineage, confidence } of listings)
    voices.set(lineage, Math.max(confidence, voices.get(lineage) ?? 0));
  return [...voices.values()];
}

/** Combined as independent witnesses: with two sources of confidence 60, both are wrong in 16 of 100 cases. */
function combined(voices: readonly number[]): number {
  const doubt = voices.reduce((product, confidence) => product * (1 - confidence / 100), 1);
  return Math.min(RULE.max, Math.max(RULE.malicious, Math.round(100 * (1 - doubt))));
}
