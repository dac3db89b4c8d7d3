import { fadeDaysOf, halfLifeOf, scoreCategoryOf } from '#domain/scoring/index.ts';
import { accuses, type Source } from './contract.ts';
import { KIND } from './indicator-key.ts';

/** The longest time a listing fades, because replays keep delistings of only 90 days before (scoring ruling 12). */
export const FADE_DAYS_MAX = 90;

export type Fading = { readonly kind: number; readonly days: number };

/**
 * How long a dropped listing still affects the score, by kind of key. Listings that do not accuse have no weight to
 * fade, digests are revoked at once (ruling 5), and so are networks, wallets and telephone numbers, because the rule
 * for contacts (decisions 3.3) reads current listings only.
 */
export function fadingOf(
  source: Pick<Source, 'threatClass' | 'adOnly' | 'category' | 'cidrSemantics' | 'ownList'>,
): readonly Fading[] {
  // What an operator removes from an own list stops counting at once (O81).
  if (!accuses(source) || source.ownList === true) return [];
  const category = scoreCategoryOf(source.category);
  const fade = (kind: number, type: Parameters<typeof halfLifeOf>[0]['type']): Fading => ({
    kind,
    days: Math.min(FADE_DAYS_MAX, fadeDaysOf(halfLifeOf({ type, category, isDelisted: true }))),
  });
  const rangeType = source.cidrSemantics === 'owned' ? 'netblock' : 'ip';
  return [
    fade(KIND.ipv4, 'ip'),
    fade(KIND.ipv6, 'ip'),
    fade(KIND.cidr4, rangeType),
    fade(KIND.cidr6, rangeType),
    fade(KIND.domain, 'domain'),
    fade(KIND.url, 'url'),
    fade(KIND.email, 'email'),
  ];
}
