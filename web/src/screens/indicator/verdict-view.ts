import { type Confidence, type Evidence, type RiskScore, verdictOf } from '@assay/sdk';
import type { Tone } from '../../ui/verdict-mark.tsx';
import { exact } from '../../words/numbers.ts';
import { type CheckState, isProvisional, type Phases, shownPhases } from './check-state.ts';

export type VerdictView = {
  readonly word: string;
  readonly tone: Tone;
  readonly isProvisional: boolean;
  /** The score; null when a number would claim more than is known. */
  readonly risk: number | null;
  readonly confidence: { readonly score: number; readonly level: string } | null;
};

type Judged = { readonly riskScore: RiskScore; readonly confidence: Confidence; readonly evidence: Evidence };

export function verdictView(state: CheckState): VerdictView {
  const phases = shownPhases(state);
  const judged = judgedOf(phases);
  const { word, tone } = wordOf(phases, judged, state.end.kind === 'running');
  return {
    word,
    tone,
    isProvisional: isProvisional(state),
    risk: judged === null || tone === 'unknown' ? null : judged.riskScore.score,
    confidence: judged?.confidence ?? null,
  };
}

export const judgedOf = ({ insights, reputation }: Phases): Judged | null =>
  insights ?? reputation?.verdict ?? null;

/** Before the verdict only an accusation or "not seen" is shown: any other word would read as an answer. */
function wordOf(
  phases: Phases,
  judged: Judged | null,
  isRunning: boolean,
): { readonly word: string; readonly tone: Tone } {
  const { reputation } = phases;
  const waiting = { word: isRunning ? 'Checking' : 'Not finished', tone: 'neutral' } as const;
  if (reputation === undefined) return waiting;
  if (judged !== null || reputation.malicious || reputation.lookupStatus === 'unknown')
    return verdictOf(phases);
  // A listing without a level has a neutral tone, because no verdict gives it a colour yet.
  return reputation.blocklistHits > 0
    ? { word: isRunning ? 'Listed, score to come' : 'Listed, no score', tone: 'neutral' }
    : waiting;
}

export function spokenFirst(state: CheckState): string {
  const { word } = verdictView(state);
  const hits = state.phases.reputation?.blocklistHits ?? 0;
  return `${state.target.value}: ${word}, provisional. ${hits === 0 ? 'No source lists it so far' : `${exact(hits)} sources list it`}.`;
}

export function spokenLast(state: CheckState): string {
  const { word, risk, confidence } = verdictView(state);
  const score = risk === null ? 'no score' : `risk ${risk} of 100`;
  const sure = confidence === null ? '' : `, confidence ${confidence.score}, ${confidence.level}`;
  return `Check finished. ${word}, ${score}${sure}.`;
}
