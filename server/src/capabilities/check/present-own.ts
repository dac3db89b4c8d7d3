import type { Assessment } from '#capabilities/judging/index.ts';
import type { OrganizationWord } from './contract-listings.ts';
import { isoOf } from './iso-time.ts';

/** A new object for each answer: texts of shared objects are kept, and this one belongs to one organization. */
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
