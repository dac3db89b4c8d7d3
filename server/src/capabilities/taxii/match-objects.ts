import { microsOf } from '#domain/stix/index.ts';
import type { WalkFilters } from './walk-token.ts';

/** The `match` filters of a request (decisions 3.6): commas within a field mean or, several fields mean and. */
export type Match = {
  readonly isAbsent: boolean;
  readonly types: ReadonlySet<string> | null;
  readonly ids: ReadonlySet<string> | null;
  /** Dates of `modified`; null: the last version, which is the only one that is kept. */
  readonly versionsUs: readonly number[] | null;
  readonly isSpec: boolean;
};

const KEPT_VERSION = new Set(['last', 'first', 'all']);

export function readMatch({ type, id, version, spec }: WalkFilters): Match {
  const versions = listOf(version);
  const isKept = versions === null || versions.some((word) => KEPT_VERSION.has(word));
  return {
    isAbsent: [type, id, version, spec].every((field) => field === undefined),
    types: setOf(type),
    ids: setOf(id),
    versionsUs: isKept ? null : versions.flatMap((text) => microsOf(text) ?? []),
    isSpec: setOf(spec)?.has('2.1') ?? true,
  };
}

const listOf = (text: string | undefined): readonly string[] | null =>
  text === undefined ? null : text.split(',').map((word) => word.trim());
const setOf = (text: string | undefined): ReadonlySet<string> | null => {
  const list = listOf(text);
  return list === null ? null : new Set(list);
};

type Matched = { readonly type: string; readonly id: string; readonly versionUs: number };

export const isMatching = (match: Match, { type, id, versionUs }: Matched): boolean =>
  match.isSpec &&
  match.types?.has(type) !== false &&
  match.ids?.has(id) !== false &&
  match.versionsUs?.includes(versionUs) !== false;
