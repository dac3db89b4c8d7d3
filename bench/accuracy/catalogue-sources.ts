import { CATALOGUE, settingsOf } from '../../server/src/capabilities/catalogue/index.ts';
import type { Source } from '../../server/src/capabilities/corpus/index.ts';

/** What the registry knows of a source besides its catalogue row. */
export type SourceState = Pick<Source, 'dataAtS' | 'lastFetchAtS' | 'cluster' | 'echoes' | 'entries'>;

/** The registry rows that an import of these sources would write, numbered in the order of the catalogue. */
export function catalogueSources(states: ReadonlyMap<string, SourceState>): readonly Source[] {
  const rows = CATALOGUE.filter(({ id }) => states.has(id));
  const unknown = [...states.keys()].filter((id) => !rows.some((row) => row.id === id));
  if (unknown.length > 0) throw new Error(`The catalogue has no ${unknown.join(', ')}.`);
  return rows.map((row, index) => {
    const registered = {
      ...DEFAULTS,
      ...settingsOf(row),
      ...states.get(row.id),
      number: index + 1,
      id: row.id,
    };
    return registered as Source;
  });
}

/** Values that the registry gives to fields that a catalogue row leaves out. */
const DEFAULTS = {
  lineage: null,
  url: null,
  attribution: null,
  guard: null,
  rankMax: null,
  retentionDays: 90,
  version: 0,
} as const;
