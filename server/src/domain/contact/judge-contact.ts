import { levelOf, type RiskLevel } from '../scoring/index.ts';

/** One list names the contact itself now. */
export type ContactListing = {
  readonly sourceId: string;
  /** 0 to 100: how far the source is believed, or how sure it says it is, whichever is less. */
  readonly confidence: number;
  /** Lists of one operator are one voice. */
  readonly lineage: string;
};

export const CONTACT_VERDICTS = ['malicious', 'suspicious', 'unknown'] as const;
/** Never `clean`: that nobody lists a contact says nothing of it. */
export type ContactVerdict = (typeof CONTACT_VERDICTS)[number];

export type ContactJudgement = {
  readonly verdict: ContactVerdict;
  readonly score: number;
  readonly level: RiskLevel;
};

/** Decisions 3.3, the listing rule for contacts. */
const RULE = {
  /** One such source is enough. */
  sure: 70,
  /** Two such sources confirm each other; weaker ones repeat each other. */
  confirms: 60,
  single: 50,
  several: 55,
  /** Of the address, when its domain is malicious; and the least of anything malicious. */
  malicious: 75,
  /** No list is a proof. */
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

/** As independent witnesses: two of 60 in a hundred are wrong together in 16. */
function combined(voices: readonly number[]): number {
  const doubt = voices.reduce((product, confidence) => product * (1 - confidence / 100), 1);
  return Math.min(RULE.max, Math.max(RULE.malicious, Math.round(100 * (1 - doubt))));
}
