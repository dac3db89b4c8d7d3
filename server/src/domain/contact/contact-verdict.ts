import { type Contradiction, type RecommendedAction, rungOfLevel } from '../scoring/index.ts';
import type { ContactJudgement } from './judge-contact.ts';

/** The one verdict on a contact. Every route shows these fields, so that no two routes can contradict each other (O57). */
export type VerdictOfContact = ContactJudgement & {
  readonly malicious: boolean;
  readonly word: string;
  readonly action: RecommendedAction;
};

export function contactVerdictOf(
  { verdict, score, level }: ContactJudgement,
  contradictions: readonly Contradiction[] = [],
): VerdictOfContact {
  const { word, action } = rungOfLevel(level, contradictions);
  return { verdict, malicious: verdict === 'malicious', score, level, word, action };
}
