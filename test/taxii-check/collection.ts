import type { Target } from './check-server.ts';
import type { Instant } from './instants.ts';
import type { SeenVersion } from './stix/next-version.ts';

/** What a walk keeps of each object, for later comparison. */
export type Seen = SeenVersion & { readonly type: string; readonly specVersion: string | null };

export type Dated = { readonly version: string; readonly date: Instant | null; readonly dateText: string };

/** One collection as a walk over its objects and its manifest found it. */
export type Collection = {
  readonly target: Target;
  readonly objects: ReadonlyMap<string, Seen>;
  readonly manifest: ReadonlyMap<string, Dated>;
  /** Ids in the order of the objects walk, without the identities that a server puts first on every page. */
  readonly sequence: readonly string[];
  /** Ids of the identities that a server puts first on every page. */
  readonly leaders: ReadonlySet<string>;
  readonly pages: number;
  /** False when a walk stopped before its end; then missing objects are not judged. */
  readonly complete: boolean;
};

export const dateOf = (collection: Pick<Collection, 'manifest'>, id: string): Instant | null =>
  collection.manifest.get(id)?.date ?? null;
