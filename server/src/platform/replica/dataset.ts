import type { Db } from '../postgres.ts';

/** One LMDB environment with one position in the change log: everything in it is of one moment. */
export type Dataset = {
  /** Folder name and partition of the change log: lower-case letters, digits and dashes. */
  readonly name: string;
  /** Raised when an encoding changes: every node rebuilds before it answers from the new code. */
  readonly format: number;
  readonly collections: readonly Collection[];
  readonly derived: readonly Derived[];
};

/**
 * A SQL view with columns (key bytea, value bytea), exactly one row per key, readable by assay_system. Create it
 * `with (security_invoker = true)`, so that the row-level security of the tables below sees the role that reads.
 * The view must answer `where key = any(...)` from an index, and `order by key` without a disk sort if it is large.
 */
export type Collection = { readonly name: string; readonly view: string };

/**
 * A value computed from PostgreSQL in the same snapshot as the entries (range arrays, registries) and stored in the
 * same LMDB transaction as the sequence.
 */
export type Derived = {
  readonly name: string;
  /** Does a change of this key make the value stale? Asked once for each changed key. */
  readonly dependsOn: (collection: string, key: Uint8Array) => boolean;
  /** Reads through the transaction it is given and through nothing else. */
  readonly build: (tx: Db) => Promise<Uint8Array>;
};

const DATASET_NAME = /^[a-z][a-z0-9-]{0,31}$/;
const MEMBER_NAME = /^[a-z][a-z0-9_-]{0,63}$/;
const VIEW_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/** A wrong definition is a programming error: it stops the process before anything is written. */
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
