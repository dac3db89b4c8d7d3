import { LADDER, type Verdict } from '../../server/src/domain/scoring/index.ts';

const RUNGS = Object.values(LADDER);
/** Further actions of a level besides its ladder action, set by a contradiction or a listing of a reserved address. */
const LIFTED: Readonly<Record<string, readonly string[]>> = {
  high: ['escalate'],
  low: ['review'],
  safe: ['review', 'monitor'],
  // A name that looks like another one and is reported, however weakly, is looked at by a person (O54).
  inconclusive: ['review'],
};

/** Level, word, action, verdict and `malicious` of one answer must say the same (O49 to O51). */
export function contradictsItself({ malicious, riskScore, evidence }: Verdict): boolean {
  const { level, word, score } = riskScore;
  const rung = RUNGS.find((each) => each.level === level && isWordOf(each.word, word));
  if (rung === undefined) return true;
  const actions: readonly string[] = [rung.action, ...(LIFTED[level] ?? [])];
  if (!actions.includes(evidence.recommendedAction)) return true;
  if (evidence.verdict !== (level === 'inconclusive' ? 'unknown' : level) || evidence.score !== score)
    return true;
  return malicious && level !== 'high' && level !== 'critical';
}

/** The word of an answer may add a name to the word of its rung: `Common service: Quad9`. */
const isWordOf = (rung: string, word: string): boolean => word === rung || word.startsWith(`${rung}: `);
