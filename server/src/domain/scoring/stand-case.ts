import type { Case } from './facts.ts';
import { findingsOf } from './findings.ts';
import { type Rung, rungOf } from './ladder.ts';
import { adjustmentSentence, summaryOf } from './risk.ts';
import type { ScoredCase } from './score-case.ts';

/** What is known of a case without the parts that only an answer shows. */
export type CaseStanding = Pick<Rung, 'level' | 'word'> & {
  readonly scored: ScoredCase;
  readonly summary: string;
  /** The sentence of what takes most points away; null without one. Built on demand, because few cases need it. */
  readonly takenAway: () => string | null;
};

/** The level, word and score are those of `judgeCase`. */
export function standCase(of: Case): CaseStanding {
  const findings = findingsOf(of);
  const { level, word } = rungOf(findings, []);
  const { scored } = findings;
  return {
    level,
    word,
    scored,
    summary: summaryOf(findings, word),
    takenAway: () => {
      const taking = scored.adjustments.filter(({ contribution }) => contribution < 0);
      if (taking.length === 0) return null;
      const most = taking.reduce((worst, next) => (next.contribution < worst.contribution ? next : worst));
      return adjustmentSentence(most, findings);
    },
  };
}
