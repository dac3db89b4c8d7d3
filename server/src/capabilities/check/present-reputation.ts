import type { Assessment } from '#capabilities/judging/index.ts';
import { plural } from '#domain/text/plural.ts';
import type { ReputationResult } from './contract.ts';

/**
 * The counts of scanner-type sources with what the lists say. Without a scanner the counts are four zeros for every value,
 * the worst one too, so that a caller of this route alone would read them as clean.
 */
export function presentReputation({ verdict }: Pick<Assessment, 'verdict'>): ReputationResult {
  const { reputation, blocklistHits, riskScore } = verdict;
  const { score, level, word } = riskScore;
  const engines = Object.values(reputation).reduce((sum, count) => sum + count, 0);
  const scanners = engines === 0 ? 'No scanner-type source answered, so the four counts say nothing. ' : '';
  const lists =
    blocklistHits === 0
      ? 'No threat list names it, which is no proof of good.'
      : `${plural(blocklistHits, 'threat list names', 'threat lists name')} it.`;
  return {
    reputation,
    blocklistHits,
    riskScore: { score, level, word },
    message: `${scanners}${lists} Verdict: ${word} (${score} of 100).`,
  };
}
