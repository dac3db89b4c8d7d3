import { type Contradiction, type RecommendedAction, type Report, rungOfLevel } from '../scoring/index.ts';
import type { ContactJudgement } from './judge-contact.ts';

/** The one verdict on a contact. Every route shows these fields, so that no two routes can contradict each other (O57). */
export type VerdictOfContact = ContactJudgement & {
  readonly malicious: boolean;
  readonly word: string;
  readonly action: RecommendedAction;
};

type Listed = Pick<Report, 'listed'> & { readonly contradictions: readonly Contradiction[] };

export function contactVerdictOf(
  { verdict, score, level }: ContactJudgement,
  { listed, contradictions }: Listed,
): VerdictOfContact {
  const isMalicious = verdict === 'malicious';
  const { word, action } = rungOfLevel(level, { isMalicious, listed }, contradictions);
  return { verdict, malicious: isMalicious, score, level, word, action };
}
