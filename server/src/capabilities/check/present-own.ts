import type { Assessment } from '#capabilities/judging/index.ts';
import type { OrganizationWord } from './contract-listings.ts';
import { isoOf } from './iso-time.ts';

/** Returns a new object each time: JSON texts are cached by object, and this part belongs to one organization. */
export function presentOwn({ own }: Pick<Assessment, 'own'>): OrganizationWord | undefined {
  const match = own?.match ?? null;
  if (match === null) return undefined;
  return {
    disposition: match.disposition,
    id: match.id,
    matched: match.matched,
    matchType: match.matchType,
    category: match.category,
    reason: match.reason,
    since: isoOf(match.sinceMs),
    endsAt: match.endsAtMs === null ? null : isoOf(match.endsAtMs),
  };
}
