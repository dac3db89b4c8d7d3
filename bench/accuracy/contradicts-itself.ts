import {
  LADDER,
  type RiskLevel,
  type Verdict,
  WORD_EXCEPTIONS,
} from '../../server/src/domain/scoring/index.ts';

const ROWS: readonly {
  readonly levels: readonly RiskLevel[];
  readonly word: string;
  readonly action: string;
}[] = Object.values(LADDER);
const EXCEPTIONS: ReadonlySet<string> = new Set(WORD_EXCEPTIONS.map(({ row }) => row.word));
/** Further actions of a level besides that of its word, set by a contradiction. */
const LIFTED: Readonly<Record<string, readonly string[]>> = {
  high: ['escalate'],
  low: ['review'],
  safe: ['review'],
  // A name that looks like another one and is reported, however weakly, is looked at by a person (O54).
  inconclusive: ['review'],
};

/** Level, word, action, verdict and `malicious` of one answer must say the same (O49 to O51, O59, O75). */
export function contradictsItself({ malicious, riskScore, evidence }: Verdict): boolean {
  const { level, word, score } = riskScore;
  const row = ROWS.find((each) => each.levels.includes(level) && isWordOf(each.word, word));
  if (row === undefined) return true;
  const isException = EXCEPTIONS.has(row.word);
  const actions: readonly string[] = [row.action, ...(isException ? [] : (LIFTED[level] ?? []))];
  if (!actions.includes(evidence.recommendedAction)) return true;
  if (evidence.verdict !== (level === 'inconclusive' ? 'unknown' : level) || evidence.score !== score)
    return true;
  if (malicious && level !== 'high' && level !== 'critical') return true;
  return !isException && malicious !== (row.word === LADDER.malicious.word);
}

/** The word of an answer may add a name to the word of its row: `Common service: Quad9`. */
const isWordOf = (row: string, word: string): boolean => word === row || word.startsWith(`${row}: `);
