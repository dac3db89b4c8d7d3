const DAY_MS = 86_400_000;
/** Posts of one group about one victim are one claim for this long after the first of them (O26). */
export const CLAIM_SPAN_MS = 365 * DAY_MS;

export type PostedVictim = {
  readonly nameKey: string | null;
  readonly domain: string | null;
  readonly discoveredAtMs: number;
  /** Breaks ties between posts of the same moment, so that the order of loading cannot change the claims. */
  readonly order: string;
};

type Open<P extends PostedVictim> = { startMs: number; domain: string | null; posts: P[] };

/**
 * The claims of one group: its posts by victim, each claim from its earliest post on. The victim is told apart by the
 * registrable domain where both posts have one, else by the normalised name. A hidden name is a claim of its own.
 */
export function gatherClaims<P extends PostedVictim>(posts: readonly P[]): readonly (readonly P[])[] {
  const claims: Open<P>[] = [];
  const byDomain = new Map<string, Open<P>>();
  const byName = new Map<string, Open<P>[]>();
  for (const post of posts.toSorted(inOrder)) {
    const claim = findOpen(post, byDomain, byName) ?? opened(post, claims);
    claim.posts.push(post);
    claim.domain ??= post.domain;
    if (claim.domain !== null) byDomain.set(claim.domain, claim);
    if (post.nameKey !== null) noteName(byName, post.nameKey, claim);
  }
  return claims.map((claim) => claim.posts);
}

const inOrder = (a: PostedVictim, b: PostedVictim): number => {
  if (a.discoveredAtMs !== b.discoveredAtMs) return a.discoveredAtMs - b.discoveredAtMs;
  if ((a.domain === null) !== (b.domain === null)) return a.domain === null ? 1 : -1;
  if (a.order === b.order) return 0;
  return a.order < b.order ? -1 : 1;
};

function findOpen<P extends PostedVictim>(
  post: P,
  byDomain: ReadonlyMap<string, Open<P>>,
  byName: ReadonlyMap<string, readonly Open<P>[]>,
): Open<P> | undefined {
  const isOpen = (claim: Open<P>) => post.discoveredAtMs - claim.startMs <= CLAIM_SPAN_MS;
  const sameDomain = post.domain === null ? undefined : byDomain.get(post.domain);
  if (sameDomain !== undefined && isOpen(sameDomain)) return sameDomain;
  const sameName = post.nameKey === null ? [] : (byName.get(post.nameKey) ?? []);
  return sameName.findLast((claim) => isOpen(claim) && (claim.domain === null || post.domain === null));
}

function opened<P extends PostedVictim>(post: P, claims: Open<P>[]): Open<P> {
  const claim: Open<P> = { startMs: post.discoveredAtMs, domain: null, posts: [] };
  claims.push(claim);
  return claim;
}

function noteName<P extends PostedVictim>(byName: Map<string, Open<P>[]>, key: string, claim: Open<P>): void {
  const named = byName.get(key);
  if (named === undefined) byName.set(key, [claim]);
  else if (!named.includes(claim)) named.push(claim);
}
