import type { Target } from './check-server.ts';
import type { Instant } from './instants.ts';
import type { SeenVersion } from './stix/next-version.ts';

/** What a walk saw of an object. */
export type Seen = SeenVersion & { readonly type: string; readonly specVersion: string | null };

export type Dated = { readonly version: string; readonly date: Instant | null; readonly dateText: string };

/** One collection as a walk over its objects and its manifest found it. */
export type Collection = {
  readonly target: Target;
  readonly objects: ReadonlyMap<string, Seen>;
  readonly manifest: ReadonlyMap<string, Dated>;
  /** Ids in the order of the objects walk, without identities that lead pages. */
  readonly sequence: readonly string[];
  /** Identities that lead pages. */
  readonly leaders: ReadonlySet<string>;
  readonly pages: number;
  /** False when a walk stopped before its end; then nothing is said about the whole. */
  readonly complete: boolean;
};

export const dateOf = (collection: Pick<Collection, 'manifest'>, id: string): Instant | null =>
  collection.manifest.get(id)?.date ?? null;
