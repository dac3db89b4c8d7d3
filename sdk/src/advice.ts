import type { Confidence, Evidence } from './generated/schemas.ts';

const ACTIONS: ReadonlyMap<string, string> = new Map<Evidence['recommendedAction'], string>([
  ['block', 'Block it.'],
  ['escalate', 'Ask a second person before you block: strong signals speak for it and against it.'],
  ['review', 'Look at the reports before you block.'],
  ['monitor', 'Monitor it; do not block.'],
  ['allow', 'Nothing to do.'],
  ['unverified', 'No data about this value. Decide on your own evidence.'],
  ['not-applicable', "Reputation doesn't apply to it."],
  ['ignore', 'Ignore it.'],
]);

/** The recommended action as one sentence. A value unknown to this version is quoted. */
export function actionOf(recommendedAction: string | null | undefined): string {
  if (!recommendedAction) return 'The service recommends nothing.';
  return ACTIONS.get(recommendedAction) ?? `The service recommends: ${recommendedAction}.`;
}

const CONFIDENCE: ReadonlyMap<string, string> = new Map<Confidence['level'], string>([
  ['high', 'High confidence'],
  ['medium', 'Medium confidence'],
  ['low', 'Low confidence'],
]);

export function confidenceWord(confidence: { readonly level: string } | string | null | undefined): string {
  const level = typeof confidence === 'string' ? confidence : confidence?.level;
  return level ? (CONFIDENCE.get(level) ?? level) : 'Confidence unknown';
}
