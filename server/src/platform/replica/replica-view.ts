/** One generation and one sequence of everything. Take one for each lookup and use it for all of that lookup. */
export type ReplicaView = {
  readonly seq: number;
  readonly generation: string;
  /** The last moment at which the replica was known to hold everything PostgreSQL held. */
  readonly contactAtMs: number;
  /** A copy of the value: safe to keep. */
  readonly get: (collection: string, key: Uint8Array) => Uint8Array | undefined;
  /** Keys from `from` up to and without `to`, in order, at most `limit`. */
  readonly keysBetween: (
    collection: string,
    from: Uint8Array,
    to: Uint8Array,
    limit: number,
  ) => readonly Uint8Array[];
  readonly derived: (name: string) => Uint8Array;
  /** A structure decoded once and kept until something it was built from changes. One builder for each name. */
  readonly memo: <T>(name: string, build: (view: ReplicaView) => T) => T;
};
