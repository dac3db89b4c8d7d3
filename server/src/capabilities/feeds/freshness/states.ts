export const FRESHNESS = ['fresh', 'stale', 'missing', 'failing'] as const;
export type Freshness = (typeof FRESHNESS)[number];
