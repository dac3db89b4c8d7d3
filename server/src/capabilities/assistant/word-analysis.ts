import type { CheckResult } from '#capabilities/check/index.ts';
import { composeSummary, shown } from './compose-text.ts';
import type { Analysis } from './contract.ts';
import type { Model } from './model.ts';

const SOURCES_MAX = 20;
const NAME_MAX = 60;
const REASON_MAX = 200;
/** Words that the model may use only for a `safe` verdict, in any context. */
const CLEAN_WORDS =
  /\b(clean|safe|harmless|benign|legitimate|trustworthy|trusted|allow(ed)?|no (risk|threat|danger))\b/i;
const DENIED = /(\bnot|n['’]t|\bno|\bnothing) (\w+ ){0,4}(malicious|dangerous|suspicious|harmful)\b/i;
const acquits = (text: string): boolean => CLEAN_WORDS.test(text) || DENIED.test(text);

/** Confidence and action are those of the check; a model may only rephrase the paragraph. */
export async function wordAnalysis(
  result: CheckResult,
  model: Model | null,
  signal: AbortSignal,
): Promise<Analysis> {
  const worded = model === null ? null : await model(evidenceOf(result), signal);
  const isTrue = worded !== null && (result.evidence?.verdict === 'safe' || !acquits(worded));
  return {
    summary: isTrue ? worded : composeSummary(result),
    confidence: result.evidence?.confidence ?? null,
    recommendedAction: result.evidence?.recommendedAction ?? 'review',
    writtenBy: isTrue ? 'model' : 'rules',
  };
}

function evidenceOf(result: CheckResult): unknown {
  return {
    indicator: shown(result.query ?? '', 500),
    verdict: result.evidence?.verdict ?? 'unknown',
    score: result.riskScore?.score ?? null,
    recommendedAction: result.evidence?.recommendedAction ?? 'review',
    malicious: result.malicious,
    reasons: (result.evidence?.reasons ?? []).slice(0, SOURCES_MAX).map((each) => shown(each, REASON_MAX)),
    sources: (result.sources ?? []).slice(0, SOURCES_MAX).map(({ name, category, threatClass }) => ({
      name: shown(name, NAME_MAX),
      category,
      threatClass,
    })),
    notKnown: result.dataTrust?.completeness.missing ?? [],
  };
}
