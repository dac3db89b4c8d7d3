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
  /** The source began or ceased to accuse, so its pages and names below others begin or cease to count. */
  readonly hasTurned: boolean;
};

/** The part of a registration that a merge shares: leaves the row locked and writes no change log entry. */
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
  const wanted = isNew ? { ...defaultCategory(given), ...given } : given;
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

/** The registry's default category accuses, so a list that only describes is named after its words. */
function defaultCategory({ threatClass, attributes }: SourceSettings): SourceSettings {
  if (threatClass === undefined || threatClass === 'threat') return {};
  return { category: attributes?.[0] ?? threatClass };
}
