import type { CatalogueRow } from '#capabilities/catalogue/index.ts';

/** A threat list of addresses with the defaults of a publisher; a test overrides the fields it is about. */
export const feedRow = (
  id: string,
  urls: readonly string[],
  given: Partial<CatalogueRow> = {},
): CatalogueRow => ({
  id,
  name: `List ${id}`,
  publisher: 'A publisher',
  urls,
  format: { kind: 'plain' },
  entityTypes: ['ip'],
  category: 'abuse',
  threatClass: 'threat',
  fpRisk: 'low',
  letter: 'B',
  semantics: 'state',
  licence: { name: 'CC0-1.0', redistributable: true, mode: 'free' },
  pollS: 3_600,
  minIntervalS: 0,
  bytesMax: 2_000_000,
  volume: { min: 500, max: 5_000 },
  isDefault: true,
  ...given,
});
