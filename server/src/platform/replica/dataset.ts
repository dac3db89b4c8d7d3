import type { Db } from '../postgres.ts';

/** One LMDB environment with one position in the change log, so all its contents are from one moment. */
export type Dataset = {
  /** The folder name and the partition of the change log: lower-case letters, digits and dashes. */
  readonly name: string;
  /** Raised when an encoding changes: every node then rebuilds before the new code answers. */
  readonly format: number;
  readonly collections: readonly Collection[];
  readonly derived: readonly Derived[];
};

/**
 * A SQL view with columns (key bytea, value bytea), exactly one row for each key, readable by assay_system. Create it
 * `with (security_invoker = true)`, so that the row-level security of the underlying tables applies to the reading
 * role. The view must answer `where key = any(...)` from an index, and `order by key` without a disk sort if it is
 * large.
 */
export type Collection = { readonly name: string; readonly view: string };

/**
 * A value computed from PostgreSQL in the same snapshot as the entries (range arrays, registries) and stored in the
 * same LMDB transaction as the sequence.
 */
export type Derived = {
  readonly name: string;
  /** True when a change of this key makes the value stale. Called once for each changed key. */
  readonly dependsOn: (collection: string, key: Uint8Array) => boolean;
  /** Must read only through the given transaction. */
  readonly build: (tx: Db) => Promise<Uint8Array>;
};

const DATASET_NAME = /^[a-z][a-z0-9-]{0,31}$/;
const MEMBER_NAME = /^[a-z][a-z0-9_-]{0,63}$/;
const VIEW_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

export function assertDataset(dataset: Dataset): void {
  const wrong = (what: string) => new Error(`Dataset '${dataset.name}' is wrong: ${what}.`);
  if (!DATASET_NAME.test(dataset.name)) throw wrong('its name needs 1 to 32 characters of a-z, 0-9 and -');
  if (!Number.isSafeInteger(dataset.format) || dataset.format < 1)
    throw wrong('its format must be a positive integer');
  if (dataset.collections.length === 0) throw wrong('it has no collections');
  for (const { name, view } of dataset.collections) {
    if (!MEMBER_NAME.test(name)) throw wrong(`'${name}' is not a collection name`);
    if (!VIEW_NAME.test(view)) throw wrong(`'${view}' is not a view name`);
  }
  for (const { name } of dataset.derived)
    if (!MEMBER_NAME.test(name)) throw wrong(`'${name}' is not a name for a derived value`);
  for (const names of [dataset.collections, dataset.derived])
    if (new Set(names.map((member) => member.name)).size !== names.length) throw wrong('a name occurs twice');
}
