import type { Source, WalkableCorpus } from '#capabilities/corpus/index.ts';
import type { Assessor } from '#capabilities/judging/index.ts';
import { familyNameOf } from '#domain/families/family-name.ts';
import { inertText } from '#domain/text/inert-text.ts';
import type { Clock } from '#platform/clock.ts';
import { notFound } from '#platform/errors.ts';
import type { Postgres } from '#platform/postgres.ts';
import { EXAMINED_MAX, type FamilyPage, SPELLINGS_MAX } from './contract.ts';
import { type Candidate, examineMembers } from './examine-members.ts';
import type { FamilyWords } from './family-words.ts';
import { presentMembers, refuseBadCursor } from './present-members.ts';
import { candidatesOf, readMembers } from './read-rows.ts';
import { countPairs, type FamilyPair, type MemberRow, newestOfPairs, pairsOfWords } from './store.ts';

export type FamilyDeps = {
  readonly corpus: Pick<WalkableCorpus, 'registry'>;
  readonly assess: Assessor;
  readonly clock: Pick<Clock, 'now'>;
  readonly postgres: Pick<Postgres, 'transaction'>;
  readonly wordsOf: FamilyWords;
};

const NAME_MAX = 80;
const PAIRS_MAX = 5_000;

type Named = FamilyPair & { readonly source: Source };

/** The page of a malware family: the values that sources list under any spelling of its name. */
export async function describeFamily(
  deps: FamilyDeps,
  name: string,
  cursor: string | undefined,
): Promise<FamilyPage> {
  const family = familyNameOf(name);
  const words = family === null ? undefined : await deps.wordsOf(family);
  if (family === null || words === undefined) throw unknown(name);
  const subject = `family ${family}`;
  refuseBadCursor(subject, cursor);
  const { pairs, counts, open, closed } = await readFamily(deps, words);
  if (pairs.length === 0) throw unknown(name);
  const examined = await examineMembers(deps.assess, membersOf(open, closed), deps.clock.now());
  const listed = sum(counts);
  return {
    family,
    words: [...new Set(pairs.map(({ word }) => inertText(word, NAME_MAX) ?? ''))].slice(0, SPELLINGS_MAX),
    sources: sourcesOf(pairs, counts),
    ...presentMembers({
      subject,
      cursor,
      examined,
      listed,
      withheld: sum(counts.filter((_, at) => pairs[at]?.source.redistributable === false)),
      isPartial: listed > open.length + closed.length,
    }),
  };
}

const unknown = (name: string) => notFound('Family', inertText(name, NAME_MAX) ?? '');

const readFamily = ({ corpus, postgres }: FamilyDeps, words: readonly string[]) =>
  readMembers(postgres, async (tx) => {
    const pairs = inUse(corpus.registry().sources, await pairsOfWords(tx, words, PAIRS_MAX));
    const open = pairs.filter(({ source }) => source.redistributable);
    const closed = pairs.filter(({ source }) => !source.redistributable);
    // Entries that may be named and entries that are only counted have half each, so that neither hides the other.
    const limit = open.length === 0 || closed.length === 0 ? EXAMINED_MAX : EXAMINED_MAX / 2;
    return {
      pairs,
      counts: await countPairs(tx, pairs),
      open: await newestOfPairs(tx, open, limit),
      closed: await newestOfPairs(tx, closed, limit),
    };
  });

/** Leaves out the pairs of sources that are switched off. */
function inUse(sources: readonly Source[], pairs: readonly FamilyPair[]): readonly Named[] {
  const byNumber = new Map(
    sources.flatMap((source) => (source.enabled ? [[source.number, source] as const] : [])),
  );
  return pairs.flatMap((pair) => {
    const source = byNumber.get(pair.sourceNumber);
    return source === undefined ? [] : [{ ...pair, source }];
  });
}

/** A value that both kinds of sources list is named, and counts once. `open`: rows of redistributable sources. */
function membersOf(open: readonly MemberRow[], closed: readonly MemberRow[]): readonly Candidate[] {
  const isNamed = new Set(open.map(({ key }) => key.toString('latin1')));
  const others = closed.filter(({ key }) => !isNamed.has(key.toString('latin1')));
  return [...candidatesOf(open, false), ...candidatesOf(others, true)];
}

const sum = (counts: readonly number[]): number => counts.reduce((all, each) => all + each, 0);

function sourcesOf(pairs: readonly Named[], counts: readonly number[]): FamilyPage['sources'] {
  const found = new Map<string, FamilyPage['sources'][number]>();
  for (const [at, { source }] of pairs.entries()) {
    const { id, name, category, threatClass } = source;
    const before = found.get(id)?.listings ?? 0;
    found.set(id, { id, name, category, threatClass, listings: before + (counts[at] ?? 0) });
  }
  return [...found.values()].sort((a, b) => b.listings - a.listings || (a.id < b.id ? -1 : 1));
}
