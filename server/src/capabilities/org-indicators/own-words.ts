import type { Indicator } from '#domain/indicator/index.ts';
import type { Postgres } from '#platform/postgres.ts';
import { ENTRIES, STATES } from './dataset.ts';
import { entryKeyOf } from './entry-key.ts';
import { candidatesOf, chooseMatch, type OwnEntry, type OwnWord, type PrefixLengths } from './own-word.ts';
import { revisionAt, selectPastEntries, selectPeriodsSince } from './store.ts';

type View = {
  readonly seq: number;
  readonly generation: string;
  readonly get: (collection: string, key: Uint8Array) => Uint8Array | undefined;
};

/** What organizations say, read for a caller of the same organization alone (O14). */
export type OwnWords = {
  /** Null if the organization never had an indicator. */
  readonly find: (organizationId: string, indicator: Indicator, nowMs: number) => OwnWord | null;
};

type State = PrefixLengths & { readonly revision: number };

/** Decoded states per process: some 200 bytes each. */
const STATES_MAX = 10_000;

/** A check by a member costs one read per name or range that could bear on the indicator; other checks cost none. */
export function openOwnWords(replica: { readonly view: () => View }): OwnWords {
  let seq = -1;
  let generation = '';
  const states = new Map<string, State | null>();
  const stateOf = (view: View, organizationId: string): State | null => {
    if (view.seq !== seq || view.generation !== generation) {
      states.clear();
      seq = view.seq;
      generation = view.generation;
    }
    const known = states.get(organizationId);
    if (known !== undefined) return known;
    const value = view.get(STATES, Buffer.from(organizationId, 'latin1'));
    const state = value === undefined ? null : longestFirst(jsonOf(value) as State);
    if (states.size >= STATES_MAX) states.clear();
    states.set(organizationId, state);
    return state;
  };
  return {
    find: (organizationId, indicator, nowMs) => {
      const view = replica.view();
      const state = stateOf(view, organizationId);
      if (state === null) return null;
      const entryOf = ({ key }: { readonly key: Uint8Array }): OwnEntry | undefined => {
        const value = view.get(ENTRIES, entryKeyOf(organizationId, key));
        return value === undefined ? undefined : (jsonOf(value) as OwnEntry);
      };
      const match = chooseMatch(candidatesOf(indicator, state), entryOf, nowMs);
      return { revision: state.revision, match };
    },
  };
}

const jsonOf = (value: Uint8Array): unknown =>
  JSON.parse(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('utf8'));

const longestFirst = ({ revision, bits4, bits6 }: State): State => ({
  revision,
  bits4: bits4.toSorted((a, b) => b - a),
  bits6: bits6.toSorted((a, b) => b - a),
});

const descending = (from: number, to: number): readonly number[] =>
  Array.from({ length: from - to + 1 }, (_, at) => from - at);
/** Every prefix length that a range may have, because no record tells which were in use at a past moment. */
const ALL_LENGTHS: PrefixLengths = { bits4: descending(31, 8), bits6: descending(127, 16) };

/** What the organization said of the indicator at a past moment, from periods in PostgreSQL (scoring ruling 12). */
export async function ownWordAt(
  { postgres }: { readonly postgres: Pick<Postgres, 'withAccount'> },
  organizationId: string,
  indicator: Indicator,
  atMs: number,
): Promise<OwnWord | null> {
  const candidates = candidatesOf(indicator, ALL_LENGTHS);
  return postgres.withAccount(organizationId, async (tx) => {
    const revision = await revisionAt(tx, organizationId, atMs);
    if (revision === 0) return null;
    const entryKeys = candidates.map(({ key }) => entryKeyOf(organizationId, key));
    const rows = await selectPastEntries(tx, entryKeys, atMs);
    const byKey = new Map(
      rows.map(({ entryKey, ...entry }) => [entryKey.toString('hex'), entry satisfies OwnEntry]),
    );
    const entryOf = ({ key }: { readonly key: Uint8Array }) =>
      byKey.get(entryKeyOf(organizationId, key).toString('hex'));
    return { revision, match: chooseMatch(candidates, entryOf, atMs) };
  });
}

/**
 * What the organization said at each of these moments, oldest first, read at once; null if it never had an indicator. The
 * revision is that of the last moment.
 */
export async function ownWordsAt(
  { postgres }: { readonly postgres: Pick<Postgres, 'withAccount'> },
  organizationId: string,
  indicator: Indicator,
  momentsMs: readonly number[],
): Promise<((atMs: number) => OwnWord) | null> {
  const candidates = candidatesOf(indicator, ALL_LENGTHS);
  const keyOf = ({ key }: { readonly key: Uint8Array }) => entryKeyOf(organizationId, key);
  return postgres.withAccount(organizationId, async (tx) => {
    const revision = await revisionAt(tx, organizationId, momentsMs.at(-1) ?? 0);
    if (revision === 0) return null;
    const periods = await selectPeriodsSince(tx, candidates.map(keyOf), momentsMs[0] ?? 0);
    return (atMs) => {
      const held = new Map(
        periods
          .filter(({ sinceMs, endedAtMs }) => sinceMs <= atMs && (endedAtMs === null || endedAtMs > atMs))
          .map(({ entryKey, ...entry }) => [entryKey.toString('hex'), entry satisfies OwnEntry]),
      );
      const entryOf = (candidate: { readonly key: Uint8Array }) => held.get(keyOf(candidate).toString('hex'));
      return { revision, match: chooseMatch(candidates, entryOf, atMs) };
    };
  });
}
