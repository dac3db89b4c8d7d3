import { isoOf } from '#capabilities/check/index.ts';
import type { Source, WalkableCorpus } from '#capabilities/corpus/index.ts';
import type { Assessor } from '#capabilities/judging/index.ts';
import { confidenceBaseOf, stalenessOf } from '#domain/scoring/index.ts';
import { SHIPPED_BOOK, type WeightBook } from '#domain/weights/index.ts';
import type { Clock } from '#platform/clock.ts';
import { notFound } from '#platform/errors.ts';
import type { Postgres } from '#platform/postgres.ts';
import { EXAMINED_MAX, type SourceFacts, type SourcePage } from './contract.ts';
import { examineMembers } from './examine-members.ts';
import { precisionOf } from './precision-of-source.ts';
import { presentMembers, refuseBadCursor } from './present-members.ts';
import { candidatesOf, readMembers } from './read-rows.ts';
import { newestOfSource } from './store.ts';

export type SourceDeps = {
  readonly corpus: Pick<WalkableCorpus, 'registry'>;
  readonly assess: Assessor;
  readonly clock: Pick<Clock, 'now'>;
  readonly postgres: Pick<Postgres, 'transaction'>;
  /** The learned weights; absent: those that come with the release. */
  readonly weights?: { readonly book: () => WeightBook };
};

/** A source that is switched off shows nothing in a check, so it has no page either (G8). */
export async function describeSource(
  deps: SourceDeps,
  id: string,
  cursor: string | undefined,
): Promise<SourcePage> {
  const source = deps.corpus.registry().sources.find((each) => each.id === id && each.enabled);
  if (source === undefined) throw notFound('Source', id);
  const subject = `source ${id}`;
  refuseBadCursor(subject, cursor);
  const isWithheld = !source.redistributable;
  const rows = await readMembers(deps.postgres, (tx) => newestOfSource(tx, source.number, EXAMINED_MAX));
  const nowMs = deps.clock.now();
  const examined = await examineMembers(deps.assess, candidatesOf(rows, isWithheld), nowMs);
  // The count in the registry of this node may be one merge older than the rows just read.
  const listed = Math.max(source.entries, rows.length);
  return {
    source: {
      ...factsOf(source, nowMs),
      precision: precisionOf(source, deps.weights?.book() ?? SHIPPED_BOOK),
    },
    ...presentMembers({
      subject,
      cursor,
      examined,
      listed,
      withheld: isWithheld ? listed : 0,
      isPartial: listed > examined.length,
    }),
  };
}

/** What `sources[]` of a check shows; provider, address and mode of the licence are for licensed callers (G8). */
const factsOf = (source: Source, nowMs: number): SourceFacts => ({
  id: source.id,
  name: source.name,
  type: source.type,
  category: source.category,
  categories: [...source.categories],
  threatClass: source.threatClass,
  fpRisk: source.fpRisk,
  status: 'verified',
  confidenceBase: confidenceBaseOf(source),
  retentionDays: source.retentionDays,
  tags: [...source.tags],
  entityTypes: [...source.entityTypes],
  format: source.format,
  letter: source.letter,
  freshness: freshnessOf(source, nowMs),
  dataAt: source.dataAtS === 0 ? null : isoOf(source.dataAtS * 1_000),
  entries: source.entries,
  licence: source.licence,
  attribution: source.attribution,
  redistributable: source.redistributable,
});

function freshnessOf(source: Source, nowMs: number): SourceFacts['freshness'] {
  const { isStale, ageMs } = stalenessOf(source, nowMs);
  if (ageMs === null) return 'unknown';
  return isStale ? 'stale' : 'fresh';
}
