import type { Case } from './facts.ts';
import { findingsOf } from './findings.ts';
import { type Rung, rungOf } from './ladder.ts';
import { adjustmentSentence, riskOf } from './risk.ts';
import type { ScoredCase } from './score-case.ts';

/** What is known of a case without the parts that only an answer shows. */
export type CaseStanding = Pick<Rung, 'level' | 'word'> & {
  readonly scored: ScoredCase;
  readonly summary: string;
  /** What takes most points away, as a sentence; null where nothing does. */
  readonly takenAway: string | null;
};

/** The level, word and score are those of `judgeCase`. */
export function standCase(of: Case): CaseStanding {
  const findings = findingsOf(of);
  const rung = rungOf(findings, []);
  const { scored } = findings;
  const largest = scored.adjustments
    .filter(({ contribution }) => contribution < 0)
    .reduce<(typeof scored.adjustments)[number] | null>(
      (worst, next) => (worst === null || next.contribution < worst.contribution ? next : worst),
      null,
    );
  return {
    level: rung.level,
    word: rung.word,
    scored,
    summary: riskOf(findings, rung).summary,
    takenAway: largest === null ? null : adjustmentSentence(largest, findings),
  };
}
