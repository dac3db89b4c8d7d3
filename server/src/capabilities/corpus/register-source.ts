import { priorOf } from '#domain/scoring/source-reliability.ts';
import type { Clock } from '#platform/clock.ts';
import { badRequest } from '#platform/errors.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { appendChanges, appendChangesFrom } from '#platform/replica/change-log.ts';
import { accuses, type Source, SourceId, SourceSettings } from './contract.ts';
import { CORPUS, RELATED, SOURCES } from './dataset.ts';
import { parentsOfSource } from './related-store.ts';
import { sourceKey } from './source-key.ts';
import { insertSource, lockSource, recordRevision, updateSource } from './store.ts';

export type CorpusWriteDeps = { readonly system: Postgres; readonly clock: Clock };

/** Creates a source or changes the given settings. An omitted one keeps its value or gets the registry's default. */
export function registerSource(deps: CorpusWriteDeps, id: string, settings: SourceSettings): Promise<Source> {
  return deps.system.transaction(async (tx) => {
    const { source, isChanged, hasTurned } = await upsertSource(tx, id, settings, deps.clock.now());
    if (hasTurned) await appendChangesFrom(tx, CORPUS, RELATED, parentsOfSource(source.number));
    if (isChanged) await appendChanges(tx, CORPUS, SOURCES, [sourceKey(source.number)]);
    return source;
  });
}

export type UpsertedSource = {
  readonly source: Source;
  readonly isChanged: boolean;
  /** The source began or ceased to accuse, so its listings as neighbours of other indicators change too. */
  readonly hasTurned: boolean;
};

/** Registers a source for a merge too: leaves the row locked and leaves the change log to the caller. */
export async function upsertSource(
  tx: Db,
  id: string,
  settings: SourceSettings,
  nowMs: number,
): Promise<UpsertedSource> {
  const given = checked(id, settings);
  const isNew = await insertSource(tx, id);
  const before = await lockSource(tx, id);
  if (before === undefined) throw new Error(`Source '${id}' vanished while it was registered.`);
  const graded = { ...reliabilityOfGrade(given, before), ...given };
  const wanted = isNew ? { ...defaultCategory(given), ...graded } : graded;
  const isChanged = !saysAlready(before, wanted);
  if (isChanged) await updateSource(tx, id, wanted);
  const source = isChanged ? await lockSource(tx, id) : before;
  if (source === undefined) throw new Error(`Source '${id}' vanished while it was registered.`);
  if (isNew || isChanged) await recordRevision(tx, source.number, nowMs);
  return { source, isChanged: isNew || isChanged, hasTurned: accuses(before) !== accuses(source) };
}

function checked(id: string, settings: SourceSettings): SourceSettings {
  const checkedId = SourceId.safeParse(id);
  const result = SourceSettings.safeParse(settings);
  const problem = checkedId.error?.issues[0] ?? result.error?.issues[0];
  if (problem !== undefined || result.data === undefined)
    throw badRequest(
      `Source '${id}' cannot be registered: ${['id', ...(problem?.path ?? [])].at(-1)?.toString()}: ${problem?.message}`,
    );
  return result.data;
}

/** Unchanged settings make no revision, so importing an unchanged list again writes nothing. */
const saysAlready = (source: Source, given: SourceSettings): boolean =>
  Object.entries(given).every(
    ([name, value]) =>
      value === undefined || JSON.stringify(value) === JSON.stringify(source[name as keyof SourceSettings]),
  );

/**
 * The reliability of a grade that is given without one (O81): a grade that only stands in the registry has no effect on any
 * score. The catalogue and the learning give their own reliability, which is never overwritten.
 */
function reliabilityOfGrade(
  { letter, reliability, aggregate }: SourceSettings,
  before: Source,
): SourceSettings {
  if (letter === undefined || reliability !== undefined) return {};
  return { reliability: priorOf(letter, aggregate ?? before.aggregate) };
}

/** The default category is one of threats, so a list that does not accuse gets its first attribute or its class. */
function defaultCategory({ threatClass, attributes }: SourceSettings): SourceSettings {
  if (threatClass === undefined || threatClass === 'threat') return {};
  return { category: attributes?.[0] ?? threatClass };
}
