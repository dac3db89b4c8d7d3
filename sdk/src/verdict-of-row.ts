import type { BulkRow } from './generated/schemas.ts';
import { type EvidenceFacts, type Verdict, wordFor } from './verdict.ts';

const NOT_CHECKED: Verdict = { id: 'not-checked', word: 'Not checked', tone: 'unknown' };

/** The verdict of a row of `bulk`. A row that could not be judged has its reason in `error`. */
export function verdictOfRow(row: BulkRow): Verdict {
  if (row.error !== null && row.error !== undefined) return NOT_CHECKED;
  return wordFor({
    malicious: row.isMalicious,
    riskScore: row.riskLevel === undefined ? null : { level: row.riskLevel, word: row.word },
    evidence: row.evidence ?? impliedEvidence(row),
    lookupStatus: row.lookupStatus,
    infrastructure: row.infrastructure,
  });
}

/** At `basic` a row has no evidence; the service answers `allow` only for what a source vouches for. */
function impliedEvidence({ riskLevel, recommendedAction }: BulkRow): EvidenceFacts | null {
  return riskLevel === 'safe' && (recommendedAction === 'allow' || recommendedAction === 'not-applicable')
    ? { verdict: 'safe', recommendedAction }
    : null;
}
