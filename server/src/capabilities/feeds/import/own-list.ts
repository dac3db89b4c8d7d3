import { type CatalogueRow, settingsOf } from '#capabilities/catalogue/index.ts';
import type { Source, SourceSettings } from '#capabilities/corpus/index.ts';
import { badRequest } from '#platform/errors.ts';

/** What is said of a source before an import or `feeds add` changes it. */
export type BeforeChange = {
  /** The row of the catalogue; absent for a list of the operator's own. */
  readonly row: CatalogueRow | undefined;
  /** Absent for a source that is new. */
  readonly known: Source | undefined;
};

/**
 * The defaults of an operator's own list (O81): grade B with a low risk of false positives is one listing of 56 points, which
 * the verdict answers with `review`. A list without license terms belongs to the operator, so it is exported.
 */
const OWN_LIST = { ownList: true, letter: 'B', fpRisk: 'low' } as const satisfies SourceSettings;

/** The settings that an import writes: an own list that was removed counts again. */
export const settingsToImport = (before: BeforeChange, given: SourceSettings): SourceSettings => ({
  ...settingsToWrite(before, given),
  ...(before.known?.ownList === true && { enabled: true }),
});

/** The settings that an import or `feeds add` writes: the given ones, and for a new source the defaults of its kind. */
export function settingsToWrite({ row, known }: BeforeChange, given: SourceSettings): SourceSettings {
  if (row === undefined && (known === undefined || known.ownList === true))
    return { ...(known === undefined ? OWN_LIST : {}), ...given, ...exportOf(known, given) };
  if (given.expiresDays !== undefined)
    throw badRequest('--expires is for a list of your own. A source of the catalog ages by its own dates.');
  return known === undefined && row !== undefined ? { ...catalogSettings(row, given), ...given } : given;
}

/** The settings of the catalog; a grade that the operator gives replaces the reliability of the row too. */
function catalogSettings(row: CatalogueRow, given: SourceSettings): SourceSettings {
  const { reliability, ...others } = settingsOf(row);
  return given.letter === undefined && reliability !== undefined ? { ...others, reliability } : others;
}

/** With license terms the entries are exported only where the operator says that the terms allow it (O81). */
function exportOf(known: Source | undefined, given: SourceSettings): SourceSettings {
  const { exported, redistributable, licence } = given;
  if (exported === false && redistributable === true)
    throw badRequest('--no-export and --redistributable contradict each other. Give one of them.');
  if (exported === false) return { redistributable: false };
  if (redistributable !== undefined) return {};
  const hasTerms = (licence ?? known?.licence ?? null) !== null;
  if (known === undefined) return { redistributable: !hasTerms };
  if (licence !== undefined && licence !== known.licence) return { redistributable: false };
  return exported === true && !hasTerms ? { redistributable: true } : {};
}
