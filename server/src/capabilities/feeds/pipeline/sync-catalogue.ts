import { isDeepStrictEqual } from 'node:util';
import { findSource, registerSource, type Source, type SourceSettings } from '#capabilities/corpus/index.ts';
import { settingsOf } from '../catalogue/catalogue.ts';
import type { CatalogueRow } from '../catalogue/catalogue-row.ts';
import type { PipelineDeps } from './contract.ts';
import { firstRunMs } from './pacing.ts';
import { type AppliedRow, readApplied, saveApplied } from './schedule-store.ts';

/** An import of a data set registers its sources in the same way, without a way out. */
export type SyncDeps = Pick<PipelineDeps, 'system' | 'clock' | 'log' | 'catalogue'>;
export type SyncReport = { readonly added: number; readonly changed: number };

/** Registers what is new in the catalogue and follows its changes; an operator's own settings stay. */
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

/** A new deployment starts with what is most worth having. */
const byTrust = (a: CatalogueRow, b: CatalogueRow): number =>
  Number(b.isDefault) - Number(a.isDefault) || a.letter.localeCompare(b.letter) || a.id.localeCompare(b.id);

/** False when there was nothing to write. */
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

/** Whether a source is used is the operator's business from the day it is there. */
const OPERATORS_OWN: readonly (keyof SourceSettings)[] = ['enabled', 'scheduled'];

/**
 * What the catalogue says now and did not say before, where the registry still has what the catalogue said before. A
 * source that came another way has no before: what it has stays.
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
