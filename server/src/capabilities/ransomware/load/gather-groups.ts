import { gatherClaims } from '#domain/ransomware/index.ts';
import { newId } from '#platform/ids.ts';
import type { Db } from '#platform/postgres.ts';
import { trackerOf } from '../trackers.ts';
import { type ClaimRow, deleteClaims, listConfirmations, upsertClaims } from './claim-write-store.ts';
import { inferMissing, type ToldClaim } from './infer-missing.ts';
import { assignPosts, listPosts, type PostOfClaim, type StoredPost } from './post-store.ts';

export type WrittenClaim = ClaimRow;
type Ordered = StoredPost & { readonly order: string; readonly shownGroup: string };

/**
 * Makes the claims of these groups anew from all their posts, and writes what differs. The claims depend on the posts alone
 * and not on the order they came in. A claim keeps its id as long as one of its posts had it. Returns claims that are new.
 */
export async function gatherGroups(
  tx: Db,
  groupKeys: readonly string[],
  nowMs: number,
): Promise<readonly WrittenClaim[]> {
  const posts = await listPosts(tx, groupKeys);
  const before = new Set(posts.flatMap(({ claimId }) => claimId ?? []));
  const given = new Set<string>();
  const gathered: ToldClaim[] = [];
  const added = new Set<string>();
  const moved: PostOfClaim[] = [];
  const heirs = new Map<string, string>();
  for (const ofClaim of clusters(posts)) {
    const held = ofClaim.flatMap(({ claimId }) => claimId ?? []).sort();
    const id = held.find((each) => !given.has(each)) ?? newId('rcl', nowMs);
    given.add(id);
    gathered.push(claimOf(id, ofClaim));
    if (held.length === 0) added.add(id);
    for (const each of held) if (each !== id && !heirs.has(each)) heirs.set(each, id);
    moved.push(...ofClaim.filter(({ claimId }) => claimId !== id).map((post) => ({ ...post, claimId: id })));
  }
  const gone = [...before].filter((id) => !given.has(id));
  const confirmed = new Map(
    (await listConfirmations(tx, gone)).map((each) => [heirs.get(each.id) ?? '', each]),
  );
  const claims = await inferMissing(tx, gathered);
  await upsertClaims(tx, claims);
  await assignPosts(tx, moved);
  await deleteClaims(
    tx,
    gone,
    [...confirmed].map(([id, { atMs, reference }]) => ({ id, atMs, reference })),
  );
  return claims.filter(({ id }) => added.has(id));
}

function clusters(posts: readonly StoredPost[]): readonly (readonly Ordered[])[] {
  return [...Map.groupBy(posts, ({ groupKey }) => groupKey).values()].flatMap((ofGroup) => {
    const shownGroup = usualSpelling(ofGroup.map(({ groupName }) => groupName));
    return gatherClaims(
      ofGroup.map((post) => ({ ...post, shownGroup, order: `${post.victim}\n${post.datasetId}` })),
    );
  });
}

/** Trackers write `FOG` and `fog`; all claims of a group show the spelling that most posts have. */
function usualSpelling(names: readonly string[]): string {
  const counted = [...Map.groupBy(names, (name) => name)].map(([name, all]) => ({ name, count: all.length }));
  counted.sort((a, b) => b.count - a.count || (a.name < b.name ? 1 : -1));
  return counted[0]?.name ?? '';
}

/** Makes a claim of its posts. Each detail comes from the earliest post that has it. */
function claimOf(id: string, posts: readonly Ordered[]): ToldClaim {
  const [first] = posts;
  if (first === undefined) throw new Error('A claim has at least one post.');
  const told = <K extends keyof StoredPost>(field: K): StoredPost[K] | null =>
    posts.find((post) => post[field] !== null)?.[field] ?? null;
  return {
    id,
    groupKey: first.groupKey,
    groupName: first.shownGroup,
    victim: first.victim,
    nameKey: first.nameKey,
    domain: told('domain'),
    country: told('country'),
    sector: told('sector'),
    discoveredAtMs: first.discoveredAtMs,
    attackedAtMs: told('attackedAtMs'),
    claimUrl: told('claimUrl'),
    description: told('description'),
    trackers: trackersOf(posts),
    posts: posts.length,
  };
}

function trackersOf(posts: readonly StoredPost[]): ClaimRow['trackers'] {
  const firstAt = new Map<string, number>();
  for (const { datasetId, discoveredAtMs } of posts) {
    const tracker = trackerOf(datasetId);
    if (!firstAt.has(tracker)) firstAt.set(tracker, discoveredAtMs);
  }
  return [...firstAt].map(([id, atMs]) => ({ id, firstSeenAt: new Date(atMs).toISOString() }));
}
