import { isDeepStrictEqual } from 'node:util';
import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { settingsOf } from '#capabilities/catalogue/index.ts';
import { findSource, registerSource, type Source, type SourceSettings } from '#capabilities/corpus/index.ts';
import { firstRunMs } from '#capabilities/datasets/index.ts';
import type { PipelineDeps } from './contract.ts';
import { type AppliedRow, readApplied, saveApplied } from './schedule-store.ts';

/** The import of a data set registers its sources in the same way, but has no network access. */
export type SyncDeps = Pick<PipelineDeps, 'system' | 'clock' | 'log' | 'catalogue'>;
export type SyncReport = { readonly added: number; readonly changed: number };

/** Registers new rows of the catalogue and follows its changes; an operator's own settings stay. */
export async function syncCatalogue(deps: SyncDeps): Promise<SyncReport> {
  const applied = await readApplied(deps.system.db);
  const fresh = deps.catalogue.filter(({ id }) => applied.get(id)?.hasNextRun !== true).toSorted(byTrust);
  const firstRuns = new Map(fresh.map(({ id }, nth) => [id, nth]));
  let [added, changed] = [0, 0];
  for (const row of deps.catalogue) {
    const before = applied.get(row.id);
    const firstRunAtMs = firstRunMs(deps.clock.now(), firstRuns.get(row.id) ?? 0, fresh.length);
    const isChanged = await syncRow(deps, row, before, firstRunAtMs);
    if (before === undefined) added += 1;
    else if (isChanged) changed += 1;
  }
  if (added + changed > 0) deps.log.info({ added, changed }, 'feeds.catalogue.synced');
  return { added, changed };
}

/** A new deployment starts with the most reliable sources. */
const byTrust = (a: CatalogueRow, b: CatalogueRow): number =>
  Number(b.isDefault) - Number(a.isDefault) || a.letter.localeCompare(b.letter) || a.id.localeCompare(b.id);

async function syncRow(
  deps: SyncDeps,
  row: CatalogueRow,
  before: AppliedRow | undefined,
  firstRunAtMs: number,
): Promise<boolean> {
  const wanted = settingsOf(row);
  if (before === undefined) {
    const source = await registerSource(deps, row.id, wanted);
    await saveApplied(deps.system.db, { sourceNumber: source.number, catalogue: wanted, firstRunAtMs });
    return true;
  }
  if (isDeepStrictEqual(before.catalogue, asJson(wanted)) && before.hasNextRun) return false;
  const source = await findSource(deps.system.db, row.id);
  if (source === undefined) return false;
  const settings = changesFor(source, wanted, before.catalogue);
  const isChanged = Object.keys(settings).length > 0;
  if (isChanged) await registerSource(deps, row.id, settings);
  await saveApplied(deps.system.db, { sourceNumber: before.number, catalogue: wanted, firstRunAtMs });
  return isChanged;
}

const asJson = (settings: SourceSettings): unknown => JSON.parse(JSON.stringify(settings));

/** After the registration only the operator enables or schedules a source. */
const OPERATORS_OWN: readonly (keyof SourceSettings)[] = ['enabled', 'scheduled'];

/**
 * Settings that changed in the catalogue, where the registry still has the catalogue's previous value. A source that
 * was registered another way has no previous value, so its settings stay.
 */
export function changesFor(
  source: Source,
  wanted: SourceSettings,
  before: Readonly<Record<string, unknown>> | null,
): SourceSettings {
  const changes = Object.entries(wanted).filter(([name, value]) => {
    if (OPERATORS_OWN.includes(name as keyof SourceSettings) || before === null) return false;
    const now: unknown = source[name as keyof Source];
    const isOperators = name in before && !isSame(now, before[name]);
    return !isOperators && !isSame(now, value);
  });
  return Object.fromEntries(changes);
}

/** Reliability is stored with the precision of a float4. */
const isSame = (a: unknown, b: unknown): boolean =>
  typeof a === 'number' && typeof b === 'number'
    ? Math.fround(a) === Math.fround(b)
    : isDeepStrictEqual(a, b);
